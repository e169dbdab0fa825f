// SPDX-License-Identifier: MIT

/// Ticks per second of the clock that an encoder sees.
enum EncoderTimescale {
    /// Ticks per frame where the timescale is made up: divides by all usual fractions of a frame.
    static let ticksPerFrame = 1000

    /// Ticks per frame that are fine enough where a frame is no whole number of them.
    static let leastTicksPerFrame = 20

    /// The finest clock, of nanoseconds: encoders multiply ticks with bits in 64 bits.
    static let finest: Int32 = 1_000_000_000

    /// The timescale of the first frame where its ticks tell frames of a rate apart evenly, else one made from the
    /// rate.
    static func timescale(first time: MediaTime?, rate: FrameRate) -> Int32 {
        if let timescale = time?.timescale, timescale <= finest, carries(rate, in: timescale) { return timescale }
        let (made, overflow) = rate.numerator.multipliedReportingOverflow(by: ticksPerFrame)
        return overflow || made > finest ? 90_000 : Int32(made)
    }

    /// Whether frames of a rate are a whole number of ticks long, or so many ticks that rounding does not matter:
    /// `MediaTime.zero` for the first frame must not make all that follow a second long.
    private static func carries(_ rate: FrameRate, in timescale: Int32) -> Bool {
        let (ticks, overflow) = Int(timescale).multipliedReportingOverflow(by: rate.denominator)
        return overflow || ticks % rate.numerator == 0 || ticks / rate.numerator >= leastTicksPerFrame
    }
}
