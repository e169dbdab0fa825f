// SPDX-License-Identifier: MIT

import Glibc

/// A semaphore that blocks the thread, for tests of code that must survive one.
final class BlockingWait: @unchecked Sendable {
    // Unchecked: semaphores are made to be shared between threads.
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func release() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0 && errno == EINTR {}
    }
}

/// Tells threads apart.
func currentThread() -> UInt { UInt(pthread_self()) }
