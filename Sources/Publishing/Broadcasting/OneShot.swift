// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// Something that happens once, for one task or thread that waits for it.
final class OneShot: Sendable {
    private enum State {
        case open
        case awaited(Waiter<Void>)
        case fired
    }

    private let state = Mutex(State.open)

    /// Lets the one who waits go on; again does nothing.
    func fire() {
        let waiter: Waiter<Void>? = state.withLock { state in
            defer { state = .fired }
            if case .awaited(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(returning: ())
    }

    /// Waits until it has happened, or the task is cancelled; to be asked once.
    func wait() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { self.await(.task($0)) }
        } onCancel: {
            self.fire()
        }
    }

    /// Sleeps until it has happened; to be asked once.
    func waitBlocking() {
        let wait = ThreadWait<Void>()
        self.await(.thread(wait))
        wait.value()
    }

    private func await(_ waiter: Waiter<Void>) {
        let isOver = state.withLock { state in
            if case .fired = state { return true }
            state = .awaited(waiter)
            return false
        }
        if isOver { waiter.resume(returning: ()) }
    }
}
