// SPDX-License-Identifier: MIT

import Glibc

/// A thread of its own for tasks that block: reading a pipe or writing a disk must not hold up the cooperative pool.
///
/// Give it to `Task(executorPreference:)`. The thread lives until ``stop()``.
package final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    // Unchecked: jobs and the flag are only touched under the mutex.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [UnownedJob] = []
    private var isStopped = false

    /// Starts the thread.
    ///
    /// - Throws: ``CommandFailure`` when the system gives no thread.
    package init() throws(CommandFailure) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
        try Thread.start { [self] in run() }
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// Ends the thread when it has nothing more to do; no task may prefer the executor from here on.
    package func stop() {
        pthread_mutex_lock(mutex)
        isStopped = true
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    private func run() {
        while let batch = next() {
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// All jobs that wait, in order; nil when there will be none.
    private func next() -> [UnownedJob]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty {
            if isStopped { return nil }
            pthread_cond_wait(condition, mutex)
        }
        defer { jobs.removeAll(keepingCapacity: true) }
        return jobs
    }
}

/// Starts threads.
package enum Thread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread that ends with it.
    ///
    /// - Throws: ``CommandFailure`` when the system gives no thread.
    package static func start(_ body: sending @escaping () -> Void) throws(CommandFailure) {
        let context = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, threadMain, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw CommandFailure(.noThread, "the system gives no thread (error \(status))")
        }
        pthread_detach(thread)
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        // Balances passRetained in start: the thread owns its body.
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Thread.run(context) }
    return nil
}
