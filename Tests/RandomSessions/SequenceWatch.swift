// SPDX-License-Identifier: MIT

package import Glibc
import Synchronization

/// What one worker is about: a sequence that hangs would say nothing, so a thread that watches names it.
package final class SequenceWatch: Sendable {
    private let state = Mutex<(seed: UInt64, changes: Int, seen: Int)>((0, 0, -1))

    /// Makes one for a worker that has not begun.
    package init() {}

    private var seed: UInt64 { state.withLock { $0.seed } }

    /// The worker begins a sequence.
    package func begin(_ seed: UInt64) {
        state.withLock { state in
            state.seed = seed
            state.changes += 1
        }
    }

    /// Nothing more is to come.
    package func end() { state.withLock { $0.seen = -2 } }

    /// Whether nothing began since this was asked last.
    private var isStuck: Bool {
        state.withLock { state in
            guard state.seen != -2 else { return false }
            defer { state.seen = state.changes }
            return state.seen == state.changes
        }
    }

    /// Starts a thread that ends the program where a worker spends ten seconds or more on one sequence, which
    /// `describe` prints.
    package static func start(_ watches: [SequenceWatch], describe: @escaping @Sendable (UInt64) -> String) {
        WorkerThread.start {
            while true {
                sleep(10)
                for watch in watches where watch.isStuck {
                    print("seed \(watch.seed) hangs:\n\(describe(watch.seed))")
                    exit(2)
                }
            }
        }
    }
}

/// Threads that run at once, whatever the number of processors.
package enum WorkerThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` in a thread.
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Work(body)).toOpaque())
        precondition(status == 0, "no thread for a test")
        return thread
    }

    /// Runs `body` with 0..<count in as many threads, and waits for them.
    package static func all(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let threads = (0..<count).map { index in start { body(index) } }
        for thread in threads { pthread_join(thread, nil) }
    }
}
