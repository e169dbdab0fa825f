// SPDX-License-Identifier: MIT

import Glibc

/// A mutex with one condition to sleep on, around one value.
///
/// `Synchronization.Mutex` has no condition variable, and the session's thread must sleep without a poll.
final class SessionLock<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched between lock and unlock.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    // In memory of its own: as a stored property it would cost a check of exclusive access each time, which the mutex
    // already gives.
    private let value: UnsafeMutablePointer<Value>

    init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value to itself.
    ///
    /// Must not resume a task, call back, block, or let go of what users gave in there.
    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Sleeps until `body` returns something; it is asked again after each ``wake()``.
    func waitFor<Result>(_ body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value.pointee) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Wakes the thread that sleeps in ``waitFor(_:)``.
    func wake() {
        pthread_cond_signal(condition)
    }
}

/// Puts a value in another's place and returns that.
func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
    defer { place = value }
    return place
}
