// SPDX-License-Identifier: MIT

/// The clock an encoder sees: ticks from 0 on, strictly increasing, whatever timescales the frames come with.
struct EncoderClock {
    private var origin: Int64?
    private var last: Int64 = -1

    /// The rate that is assumed when neither configuration nor first frame tells one.
    static let assumedFrameRate = FrameRate(numerator: 30)
    /// Ticks per frame where the timescale is made up: divides by all usual fractions of a frame.
    private static let ticksPerFrame = 1000

    /// Ticks per frame that are fine enough where a frame is no whole number of them.
    private static let leastTicksPerFrame = 20

    /// Fills in what only the first frame can tell: timescale and, where it is unknown, frame rate.
    func complete(_ settings: inout ResolvedSettings, from frame: SubmittedFrame?) {
        if !settings.isFrameRateKnown {
            let measured = frame?.duration.map(FrameRate.init(frameDuration:))
            let isUsable = measured.map { $0.isKnown && (0.01...1000).contains($0.framesPerSecond) } ?? false
            if let measured, isUsable {
                settings.frameRate = measured
                settings.isFrameRateKnown = true
            } else if !settings.frameRate.isKnown {
                settings.frameRate = Self.assumedFrameRate
            }
        }
        guard settings.timescale == 0 else { return }
        if let timescale = frame?.time.timescale, Self.carries(settings.frameRate, in: timescale) {
            settings.timescale = timescale
            return
        }
        let (made, overflow) = settings.frameRate.numerator.multipliedReportingOverflow(by: Self.ticksPerFrame)
        let fitting = overflow ? settings.frameRate.numerator : made
        settings.timescale = Int32(exactly: fitting) ?? 90_000
    }

    /// Whether ticks of a timescale tell frames of a rate apart evenly: `MediaTime.zero` for the first frame must not make
    /// all that follow a second long.
    private static func carries(_ rate: FrameRate, in timescale: Int32) -> Bool {
        let (ticks, overflow) = Int(timescale).multipliedReportingOverflow(by: rate.denominator)
        return overflow || ticks % rate.numerator == 0 || ticks / rate.numerator >= leastTicksPerFrame
    }

    /// The tick of a presentation time; two times within one tick get neighbouring ticks.
    mutating func ticks(of time: MediaTime, timescale: Int32) -> Int64 {
        let absolute = time.ticks(timescale: timescale)
        let origin = self.origin ?? absolute
        self.origin = origin
        last = max(absolute - origin, last + 1)
        return last
    }

    /// How long a frame lasts at the frame rate of the settings.
    func frameDuration(_ settings: ResolvedSettings) -> MediaTime {
        let rate = settings.frameRate
        guard let value = Int64(exactly: rate.denominator), let timescale = Int32(exactly: rate.numerator) else {
            return MediaTime(value: 1, timescale: 30)
        }
        return MediaTime(value: value, timescale: max(timescale, 1))
    }
}
