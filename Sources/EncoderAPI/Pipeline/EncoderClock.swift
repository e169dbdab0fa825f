// SPDX-License-Identifier: MIT

/// The clock an encoder sees: ticks from 0 on, strictly increasing, whatever timescales the frames come with.
struct EncoderClock {
    private var origin: MediaTime?
    private var last: Int64 = -1

    /// Ticks per frame where the timescale is made up: divides by all usual fractions of a frame.
    private static let ticksPerFrame = 1000

    /// Ticks per frame that are fine enough where a frame is no whole number of them.
    private static let leastTicksPerFrame = 20

    /// The finest clock, of nanoseconds: encoders multiply ticks with bits in 64 bits.
    static let finest: Int32 = 1_000_000_000

    // MARK: - Choosing a timescale

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

    /// A finer timescale, where the next frame's time is not a tick of `timescale` and the ticks are coarse for frames
    /// of `rate`, or where the frame would share the tick of the one before; nil where `timescale` will do.
    func finer(than timescale: Int32, for time: MediaTime, rate: FrameRate) -> Int32? {
        guard timescale < Self.finest, let origin else { return nil }
        let isExact =
            time.timescale == timescale || Int128(time.value) * Int128(timescale) % Int128(time.timescale) == 0
        guard !isExact else { return nil }
        let isFine = Double(timescale) >= Double(Self.leastTicksPerFrame) * rate.framesPerSecond
        let isTakenTick = time.ticks(timescale: timescale) - origin.ticks(timescale: timescale) <= last
        guard !isFine || isTakenTick else { return nil }
        let divisor = MediaTime.greatestCommonDivisor(UInt64(timescale), UInt64(time.timescale))
        let common = Int(timescale) / Int(divisor) * Int(time.timescale)
        guard common <= Self.finest else { return Self.finest }
        let wanted = Double(Self.ticksPerFrame) * rate.framesPerSecond / Double(common)
        let most = Int(Self.finest) / common
        return Int32(common * min(max(Int(min(wanted.rounded(.up), 1e9)), 1), most))
    }

    // MARK: - Ticking

    /// The tick of a presentation time; two times within one tick get neighbouring ticks.
    mutating func ticks(of time: MediaTime, timescale: Int32) -> Int64 {
        let origin = self.origin ?? time
        self.origin = origin
        last = max(time.ticks(timescale: timescale) - origin.ticks(timescale: timescale), last + 1)
        return last
    }

    /// Goes on in another timescale, for another encoder.
    mutating func changeTimescale() { last = -1 }
}
