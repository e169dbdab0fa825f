// SPDX-License-Identifier: MIT

#if os(Linux)
    import Glibc

    /// A clock; only the host's is here.
    public final class CMClock: Sendable {
        fileprivate static let host = CMClock()

        private init() {}

        /// The host's clock.
        public static var hostTimeClock: CMClock { host }

        /// The time now, in nanoseconds.
        public var time: CMTime { CMClockGetTime(self) }
    }

    /// The host's clock, which counts from when the machine started and is never set.
    public func CMClockGetHostTimeClock() -> CMClock { .host }

    /// The time of a clock now, in nanoseconds.
    public func CMClockGetTime(_ clock: CMClock) -> CMTime {
        var now = timespec()
        // CLOCK_MONOTONIC is there on every Linux, so that the call does not fail.
        clock_gettime(CLOCK_MONOTONIC, &now)
        return CMTime(value: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), timescale: 1_000_000_000)
    }

    /// The host's time in nanoseconds, as ``CMClockMakeHostTimeFromSystemUnits(_:)`` takes it.
    public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        let time = CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .default)
        return time.isNumeric ? UInt64(clamping: time.value) : 0
    }

    /// The host's time of so many nanoseconds.
    public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
        CMTime(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
    }
#endif
