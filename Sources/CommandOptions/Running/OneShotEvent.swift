// SPDX-License-Identifier: MIT

import Synchronization

/// Something that happens once; whoever asks before or after learns of it.
package final class OneShotEvent: Sendable {
    private struct State {
        var hasHappened = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Makes one that has not happened.
    package init() {}

    /// Whether it has happened.
    package var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// Makes it happen; again does nothing.
    ///
    /// - Returns: Whether it had not happened before.
    @discardableResult
    package func signal() -> Bool {
        let (isFirst, actions) = state.withLock { state in
            defer { (state.hasHappened, state.actions) = (true, []) }
            return (!state.hasHappened, state.actions)
        }
        for action in actions { action() }
        return isFirst
    }

    /// Calls `action` once: when it happens, or now if it has.
    package func whenSignalled(_ action: @escaping @Sendable () -> Void) {
        let hasHappened = state.withLock { state in
            if !state.hasHappened { state.actions.append(action) }
            return state.hasHappened
        }
        if hasHappened { action() }
    }

    /// The result of an encode in a process of its own; nil where this event happened before it began or while it ran,
    /// as a signal does that ends the encode too.
    package func unlessSignalled<Result, Failure>(_ encode: () throws(Failure) -> Result) throws(Failure) -> Result? {
        guard !hasHappened else { return nil }
        do throws(Failure) {
            return try encode()
        } catch {
            guard !hasHappened else { return nil }
            throw error
        }
    }

    /// Returns when it has happened.
    package func wait() async {
        await withCheckedContinuation { waiter in
            whenSignalled { waiter.resume() }
        }
    }
}
