// SPDX-License-Identifier: MIT

/// Measures the frame rate by presentation times, and says when it contradicts the one that is reckoned with: pure.
///
/// Frames that lie up to half an interval off their places change the span of n intervals by one interval at most: what
/// the span is off beyond that, and beyond a tolerance, contradicts. Few intervals show a doubled rate, many a slow
/// drift. Judged after 3, 6, 12, 24 and 48 intervals; then the measurement starts anew.
///
/// A source that rested wakes without a word: three intervals in a row of less than a fourth of an expected one that
/// lasts half a second or longer are judged alone, whenever the measurement began.
///
/// A pause says nothing of the rate before and behind it, and is left out: an interval longer than all others together,
/// and intervals as long as a whole measurement, as far as they are one in eight. More of them are how such a source
/// is.
struct FrameRateMeter {
    /// A rate that contradicts the one that was expected.
    struct Contradiction: Equatable {
        /// The mean of ``intervals``, without a pause.
        var rate: FrameRate
        var intervals: Int
        /// Whether more frames come than were expected, which breaks limits; fewer only leave bits unspent.
        var isFaster: Bool
    }

    private var start: MediaTime?
    private var last = MediaTime.zero
    private var longestInterval = MediaTime.zero
    /// Intervals as long as a whole measurement, and how long they are together.
    private var pauses = (count: 0, span: MediaTime.zero)
    private var intervals = 0
    private var milestone = first
    /// The last intervals in a row that are short beside an expected one of a source that rests, and how long they are
    /// together.
    private var short = (count: 0, span: MediaTime.zero)

    private static let first = 3
    /// Frames per second of a source that rests, at most, and the part of its interval that a short one lasts.
    private static let (restingRate, shortInterval) = (2.0, 0.25)
    private static let longest = 48
    /// Fewer frames than expected may be lost ones, so they count after more intervals.
    private static let leastSlower = 12
    /// Frames off their places make no interval so many times too long.
    private static let leastPause = 4.0
    /// With more than one pause in so many intervals, frames come in bursts.
    private static let intervalsToPause = 8
    /// The share by which rates may differ.
    private let tolerance: Double

    init(tolerance: Double = 0.02) { self.tolerance = tolerance }

    /// Notes a frame; the rate of the frames since the measurement began, if it contradicts `rate`.
    mutating func note(_ time: MediaTime, expecting rate: FrameRate) -> Contradiction? {
        guard let start else {
            startOver(at: time)
            return nil
        }
        intervals += 1
        let interval = time - last
        longestInterval = max(longestInterval, interval)
        if interval.seconds * rate.framesPerSecond > Double(Self.longest) {
            pauses = (pauses.count + 1, pauses.span + interval)
        }
        last = time
        if let woken = woken(by: interval, expecting: rate) { return woken }
        // Whether it wakes shows with the next.
        guard intervals >= milestone, short.count == 0 else { return nil }
        defer {
            if intervals >= Self.longest { startOver(at: time) } else { milestone *= 2 }
        }
        var (frames, span, parts) = (intervals, time - start, 1.0)
        let others = span - longestInterval
        if pauses.count > 1, pauses.count * Self.intervalsToPause <= intervals {
            (frames, span, parts) = (intervals - pauses.count, span - pauses.span, Double(pauses.count + 1))
        } else if longestInterval > others, longestInterval.seconds * rate.framesPerSecond > Self.leastPause {
            (frames, span, parts) = (intervals - 1, others, 2)
        }
        let count = Double(frames)
        let expected = rate.framesPerSecond * span.seconds
        let isFaster = count > expected
        guard abs(count - expected) > parts + tolerance * count, isFaster || intervals >= Self.leastSlower,
            let rate = FrameRate(frames: frames, in: span)
        else { return nil }
        return Contradiction(rate: rate, intervals: intervals, isFaster: isFaster)
    }

    private mutating func woken(by interval: MediaTime, expecting rate: FrameRate) -> Contradiction? {
        guard rate.framesPerSecond <= Self.restingRate,
            interval.seconds * rate.framesPerSecond < Self.shortInterval
        else {
            short = (0, .zero)
            return nil
        }
        short = (short.count + 1, short.span + interval)
        guard short.count >= Self.first, let rate = FrameRate(frames: short.count, in: short.span) else { return nil }
        return Contradiction(rate: rate, intervals: short.count, isFaster: true)
    }

    /// Measures from a frame on.
    mutating func startOver(at time: MediaTime) {
        (start, intervals, milestone) = (time, 0, Self.first)
        (last, longestInterval, pauses, short) = (time, .zero, (0, .zero), (0, .zero))
    }
}
