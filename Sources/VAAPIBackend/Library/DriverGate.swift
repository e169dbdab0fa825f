// SPDX-License-Identifier: MIT

import CVA
import Glibc
import Synchronization

/// Lets threads into drivers until the process exits, and none afterwards.
///
/// `exit` runs the destructors of a driver's library while other threads go on: a session's thread that closes its
/// encoder, or that still encodes, would call a driver whose memory is gone. Who comes too late is told, and not held
/// up, since the exit may wait for that thread.
final class DriverGate: Sendable {
    static let shared = DriverGate()

    /// Twice the number of threads inside; odd once it is closed.
    private let state = Atomic<Int>(0)

    /// Whether the caller is inside, and has to ``leave()``.
    func enter() -> Bool {
        guard state.wrappingAdd(2, ordering: .acquiring).oldValue & 1 == 0 else {
            leave()
            return false
        }
        return true
    }

    func leave() { state.wrappingSubtract(2, ordering: .releasing) }

    /// Lets nobody in any more, and waits for those inside, though not longer than `patience`.
    func close(patience: Duration = .seconds(2)) {
        state.bitwiseOr(1, ordering: .acquiringAndReleasing)
        Self.wait(patience) { state.load(ordering: .acquiring) == 1 }
    }

    /// Waits until `isDone`, which is asked every millisecond, or until `patience` is over.
    ///
    /// - Returns: Whether it is.
    @discardableResult static func wait(_ patience: Duration, until isDone: () -> Bool) -> Bool {
        let end = ContinuousClock.now + patience
        while !isDone() {
            guard ContinuousClock.now < end else { return false }
            usleep(1000)
        }
        return true
    }
}

/// Closes the gate when the process exits while a driver is loaded.
///
/// Handlers run from the last registered on: one registered when a driver was loaded runs before the driver's own.
struct DriverExitHandler: ~Copyable {
    /// Handlers in force, by numbers: one that is taken back runs once more.
    private static let live = Mutex<Set<UInt>>([])
    private static let lastNumber = Atomic<UInt>(0)

    /// For threads that come to a driver only while the process exits: without a driver, the order is of no matter.
    static let ofProcess: Void = { _ = atexit { DriverGate.shared.close() } }()

    /// Whether no driver is loaded any more, which is waited for as long as `patience`.
    static func areGone(patience: Duration) -> Bool {
        DriverGate.wait(patience) { live.withLock(\.isEmpty) }
    }

    private let number: UInt

    /// Registers a handler, as long as this value lives.
    init() {
        let number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        self.number = number
        Self.live.withLock { _ = $0.insert(number) }
        cva_at_exit(
            { number in
                guard Self.live.withLock({ $0.contains(UInt(bitPattern: number)) }) else { return }
                DriverGate.shared.close()
            }, UnsafeMutableRawPointer(bitPattern: number))
    }

    deinit {
        Self.live.withLock { _ = $0.remove(number) }
        cva_take_back(UnsafeMutableRawPointer(bitPattern: number))
    }
}
