// SPDX-License-Identifier: MIT

import Glibc

/// Holds a session's thread inside a call of the encoder until a test lets it go on.
final class Gate: @unchecked Sendable {
    // Unchecked: semaphores may be used from all threads.

    private let passage = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(passage, 0, 0)
        sem_init(arrival, 0, 0)
    }

    deinit {
        sem_destroy(passage)
        sem_destroy(arrival)
        passage.deallocate()
        arrival.deallocate()
    }

    /// Blocks until the gate is opened, once for each call of ``open()``.
    func wait() {
        sem_post(arrival)
        while sem_wait(passage) != 0 {}
    }

    /// Blocks as ``wait()``, but for so many seconds at most; whether the gate was opened.
    func wait(atMost seconds: Int) -> Bool {
        sem_post(arrival)
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += seconds
        while sem_timedwait(passage, &end) != 0 { if errno == ETIMEDOUT { return false } }
        return true
    }

    /// Lets one ``wait()`` go on.
    func open() { sem_post(passage) }

    /// Suspends until somebody stands before the gate.
    func arrived() async throws {
        while sem_trywait(arrival) != 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
