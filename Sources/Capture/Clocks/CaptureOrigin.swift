// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// The moment that clocks of libavfilter's sources call zero: sources that share one keep their times beside each
/// other.
///
/// Screens, cameras and sound cards have the system's clocks, and need none.
public final class CaptureOrigin: Sendable {
    private let moment = Mutex<Int64?>(nil)

    /// Makes one that the first source to start sets.
    public init() {}

    /// The moment, in microseconds of the monotonic clock; the first call sets it.
    func microseconds(now: Int64) -> Int64 {
        moment.withLock { moment in
            let value = moment ?? now
            moment = value
            return value
        }
    }
}

extension StampClock.Reading {
    /// Both clocks now.
    static var now: Self {
        Self(monotonic: microseconds(CLOCK_MONOTONIC), wall: microseconds(CLOCK_REALTIME))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
