// SPDX-License-Identifier: MIT

/// The clock an encoder sees: ticks from 0 on, strictly increasing, whatever timescales the frames come with.
struct EncoderClock {
    private var origin: MediaTime?
    private var last: Int64 = -1

    // MARK: - Choosing a timescale

    /// A finer timescale, where the next frame's time is not a tick of `timescale` and the ticks are coarse for frames
    /// of `rate`, or where the frame would share the tick of the one before; nil where `timescale` will do.
    func finer(than timescale: Int32, for time: MediaTime, rate: FrameRate) -> Int32? {
        guard timescale < EncoderTimescale.finest, let origin else { return nil }
        let isExact =
            time.timescale == timescale || Int128(time.value) * Int128(timescale) % Int128(time.timescale) == 0
        guard !isExact else { return nil }
        let isFine = Double(timescale) >= Double(EncoderTimescale.leastTicksPerFrame) * rate.framesPerSecond
        let isTakenTick = time.ticks(timescale: timescale) - origin.ticks(timescale: timescale) <= last
        guard !isFine || isTakenTick else { return nil }
        let divisor = MediaTime.greatestCommonDivisor(UInt64(timescale), UInt64(time.timescale))
        let common = Int(timescale) / Int(divisor) * Int(time.timescale)
        guard common <= EncoderTimescale.finest else { return EncoderTimescale.finest }
        let wanted = Double(EncoderTimescale.ticksPerFrame) * rate.framesPerSecond / Double(common)
        let most = Int(EncoderTimescale.finest) / common
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
