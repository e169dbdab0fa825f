// SPDX-License-Identifier: MIT

import Glibc

/// Seconds on a clock that only runs forward.
package enum MonotonicTime {
    /// Now.
    package static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Blocks the thread until then; returns at once where that has passed.
    package static func sleep(until end: Double) {
        var time = timespec(tv_sec: Int(end), tv_nsec: Int((end - end.rounded(.down)) * 1e9))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
