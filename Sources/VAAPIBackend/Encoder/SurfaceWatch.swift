// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Waits for surfaces with `vaSyncSurface`, which knows no deadline, on a thread of its own.
///
/// A driver that does not come back holds that thread, and what was given to ``hold(_:)``; nobody else waits for it.
final class SurfaceWatch {
    private enum Phase {
        case idle
        /// For the thread to begin with.
        case asked(VASurface)
        case waiting(VASurface)
        case answered(VASurface, VAStatus)
    }

    /// A surface to wait for, or the end.
    private struct Step {
        var surface: VASurface?
    }

    private struct State {
        var phase = Phase.idle
        /// Whether the thread is to end.
        var isOver = false
        /// What goes only when the driver came back.
        var held: [Any] = []

        /// Whether the thread is in the driver, or about to be.
        var isWaiting: Bool {
            switch phase {
            case .asked, .waiting: true
            case .idle, .answered: false
            }
        }

        /// What the thread does next; nil while it sleeps.
        mutating func step() -> Step? {
            if case .asked(let surface) = phase {
                phase = .waiting(surface)
                return Step(surface: surface)
            }
            return isOver ? Step(surface: nil) : nil
        }

        /// What came of a surface, which is asked for where no other is; nil while that is not known.
        mutating func answer(for surface: VASurface) -> VAStatus? {
            switch phase {
            case .answered(let answered, let status) where answered === surface:
                phase = .idle
                return status
            case .idle, .answered: phase = .asked(surface)
            case .asked, .waiting: break
            }
            return nil
        }
    }

    private let state = SessionLock(State())

    /// Starts the thread.
    ///
    /// - Throws: ``EncoderError`` with `.backendFailure` when the system gives none.
    init(_ display: VADisplayHandle) throws(EncoderError) {
        let state = state
        try SessionThread.start {
            while let surface = state.waitFor({ $0.step() }).surface {
                let status = display.library.status { $0.vaSyncSurface(display.raw, surface.id) }
                state.withLock { $0.phase = .answered(surface, status) }
                state.wakeAll()
            }
            // Outside the lock: what goes here calls the driver.
            withExtendedLifetime(state.withLock { exchange(&$0.held, with: []) }) {}
        }
    }

    deinit {
        state.withLock { $0.isOver = true }
        state.wakeAll()
    }

    /// Waits until the device has done what it does with a surface.
    ///
    /// - Returns: What `vaSyncSurface` returned; nil when the deadline came first. The driver goes on waiting then, and
    ///   the next call for the surface has its answer.
    func wait(for surface: VASurface, until deadline: ContinuousClock.Instant) -> VAStatus? {
        state.waitFor(until: deadline) { state in
            let answer = state.answer(for: surface)
            if case .asked = state.phase { self.state.wakeAll() }
            return answer
        }
    }

    /// Ends the watch; the thread lets objects go when the driver comes back, where it has not.
    ///
    /// Nothing can be waited for afterwards.
    ///
    /// - Returns: Whether it has not.
    func hold(_ objects: [Any]) -> Bool {
        state.withLock { state in
            if state.isWaiting { (state.isOver, state.held) = (true, state.held + objects) }
            return state.isWaiting
        }
    }
}
