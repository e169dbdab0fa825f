// SPDX-License-Identifier: MIT

import Glibc

/// A thread that runs a closure; the pool that runs the tests must not wait for the other end of a pipe.
struct Thread: Sendable {
    private let thread: pthread_t

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    init(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run)).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { context in
                // Retained for this thread, which is started once.
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(status == 0, "pthread_create failed with \(status)")
        self.thread = thread
    }

    /// Waits for its end; call once.
    func join() { pthread_join(thread, nil) }
}
