// SPDX-License-Identifier: MIT

import Glibc

/// A mutex with one condition to sleep on, around one value.
///
/// `Synchronization.Mutex` has no condition variable, and the session's thread must sleep without a poll. What takes a
/// closure is inlinable: other modules would otherwise call code for values of any type.
@usableFromInline
package final class SessionLock<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched between lock and unlock.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    // In memory of its own: as a stored property it would cost a check of exclusive access each time, which the mutex
    // already gives.
    @usableFromInline let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // What is waited for does not depend on the date.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
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
    @inlinable
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        lock()
        defer { unlock() }
        return try body(&value.pointee)
    }

    /// Sleeps until `body` returns something; it is asked again after each ``wake()``.
    @inlinable
    package func waitFor<Result>(_ body: (inout Value) -> Result?) -> Result {
        lock()
        defer { unlock() }
        while true {
            if let result = body(&value.pointee) { return result }
            sleep()
        }
    }

    /// Sleeps as ``waitFor(_:)`` does, up to a time at most.
    ///
    /// - Returns: Nil when the time came first.
    @inlinable
    package func waitFor<Result>(
        until time: ContinuousClock.Instant, _ body: (inout Value) -> Result?
    ) -> Result? {
        lock()
        defer { unlock() }
        while true {
            if let result = body(&value.pointee) { return result }
            guard sleep(until: time) else { return nil }
        }
    }

    /// Wakes the thread that sleeps in ``waitFor(_:)``.
    package func wake() {
        pthread_cond_signal(condition)
    }

    /// Makes everybody who sleeps here ask again.
    package func wakeAll() {
        pthread_cond_broadcast(condition)
    }
}

// MARK: - Calls of the system

extension SessionLock {
    @usableFromInline
    func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline
    func unlock() { pthread_mutex_unlock(mutex) }

    /// Lets go of the mutex until somebody wakes those who sleep.
    @usableFromInline
    func sleep() { pthread_cond_wait(condition, mutex) }

    /// Lets go of the mutex until somebody wakes those who sleep, or a time has come.
    ///
    /// - Returns: False where the time is over, and nobody slept.
    @usableFromInline
    func sleep(until time: ContinuousClock.Instant) -> Bool {
        let (seconds, attoseconds) = (time - .now).components
        guard seconds > 0 || seconds == 0 && attoseconds > 0 else { return false }
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int64(end.tv_nsec) + attoseconds / 1_000_000_000
        end.tv_sec += Int(min(seconds, 1 << 40) + nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_cond_timedwait(condition, mutex, &end)
        return true
    }
}

/// Puts a value in another's place and returns that.
@inlinable
package func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
    defer { place = value }
    return place
}
