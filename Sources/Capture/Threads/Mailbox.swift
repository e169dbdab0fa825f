// SPDX-License-Identifier: MIT

import EncoderAPI

/// What a device's thread hands to the thread that asks: first what it opened, then one item after the other, then an
/// end.
///
/// The device's thread waits where nobody takes what it has; whoever asks waits for a bounded time.
final class Mailbox<Opened: Sendable, Item: Sendable>: Sendable {
    private struct State {
        var opened: Opened?
        var items: [Item] = []
        var isOver = false
        var failure: CaptureError?
        var isStopped = false
        /// Whether items are wanted: before, they are let go of, but for those that are kept.
        var isStarted = false
    }

    private let lock = SessionLock(State())
    private let capacity: Int
    /// Whether the newest items before the start are kept, or none.
    private let keepsEarly: Bool

    init(capacity: Int, keepsEarly: Bool) { (self.capacity, self.keepsEarly) = (capacity, keepsEarly) }
}

// MARK: - The device's thread

extension Mailbox {
    /// Whether nobody wants anything any more.
    var isStopped: Bool { lock.withLock { $0.isStopped } }

    /// Whether items are wanted.
    var isStarted: Bool { lock.withLock { $0.isStarted } }

    /// Says that the device is open.
    func open(_ opened: Opened) {
        lock.withLock { $0.opened = opened }
        lock.wakeAll()
    }

    /// Waits until items are wanted.
    ///
    /// - Returns: Whether they are; false where nobody wants anything any more.
    func waitForStart() -> Bool {
        lock.waitFor { state in state.isStopped ? false : state.isStarted ? true : nil }
    }

    /// Hands an item over, and waits for room.
    ///
    /// - Returns: Whether more are wanted.
    func put(_ item: Item) -> Bool {
        let goesOn: Bool = lock.waitFor { state in
            if state.isStopped { return false }
            guard state.isStarted else {
                if keepsEarly {
                    if state.items.count >= capacity { state.items.removeFirst() }
                    state.items.append(item)
                }
                return true
            }
            guard state.items.count < capacity else { return nil }
            state.items.append(item)
            return true
        }
        lock.wakeAll()
        return goesOn
    }

    /// Says that nothing follows.
    func end(_ failure: CaptureError? = nil) {
        lock.withLock { ($0.isOver, $0.failure) = (true, failure) }
        lock.wakeAll()
    }
}

// MARK: - The thread that asks

extension Mailbox {
    /// Waits until the device is open.
    ///
    /// - Returns: Nil where it takes longer than `limit`.
    /// - Throws: Why it cannot be opened.
    func waitForOpening(_ limit: Duration) throws(CaptureError) -> Opened? {
        let outcome: Result<Opened, CaptureError>? = lock.waitFor(until: .now + limit) { state in
            if let opened = state.opened { return .success(opened) }
            guard state.isOver else { return nil }
            return .failure(state.failure ?? CaptureError(.lost, reason: "it ended before it gave anything"))
        }
        return try outcome?.get()
    }

    /// Says that items are wanted from here on.
    ///
    /// - Returns: Whether nobody has said so before.
    @discardableResult
    func start() -> Bool {
        let wasStarted = lock.withLock { exchange(&$0.isStarted, with: true) }
        lock.wakeAll()
        return !wasStarted
    }

    /// What ``next(_:)`` and ``poll()`` find.
    enum Found {
        case item(Item)
        /// There is nothing yet.
        case nothing
        case over
    }

    /// Takes the next item; waits for it.
    ///
    /// - Returns: `.nothing` where none comes within `limit`.
    /// - Throws: What ended the device, once all before it was taken.
    func next(_ limit: Duration) throws(CaptureError) -> Found {
        try result(lock.waitFor(until: .now + limit, Self.take) ?? .success(.nothing))
    }

    /// Takes the next item, where there is one.
    func poll() throws(CaptureError) -> Found {
        try result(lock.withLock(Self.take) ?? .success(.nothing))
    }

    private func result(_ result: Result<Found, CaptureError>) throws(CaptureError) -> Found {
        lock.wakeAll()
        return try result.get()
    }

    private static func take(_ state: inout State) -> Result<Found, CaptureError>? {
        if !state.items.isEmpty { return .success(.item(state.items.removeFirst())) }
        if let failure = state.failure { return .failure(failure) }
        return state.isOver || state.isStopped ? .success(.over) : nil
    }

    /// Ends the device: it closes as soon as its thread notices.
    func stop() {
        lock.withLock { $0.isStopped = true }
        lock.wakeAll()
    }

    /// Waits until the device's thread has ended.
    ///
    /// - Returns: Whether it did within `limit`; one that is stuck in a call is left behind.
    func waitForEnd(_ limit: Duration) -> Bool {
        lock.waitFor(until: .now + limit) { $0.isOver ? true : nil } ?? false
    }
}
