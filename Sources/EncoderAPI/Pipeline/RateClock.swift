// SPDX-License-Identifier: MIT

/// The clock that bits are counted on: presentation times, or durations where pictures would overlap: pure.
///
/// Some sources count their times in another unit than they say, so that thirty pictures of 1/30 s lie within 30 ms.
/// Where durations agree with the expected frame rate, or where none is with the first of them, and the first pictures
/// would take more than twice the time that passes between them, durations are believed. No lost or late
/// picture makes times more than twice as dense as durations say.
struct RateClock {
    private enum Verdict {
        case open
        case times
        /// This clock is so far ahead of presentation times.
        case durations(ahead: MediaTime)
    }

    private var verdict = Verdict.open
    private var start: MediaTime?
    private var last: (time: MediaTime, duration: MediaTime)?
    /// How long the pictures between the first and the last take.
    private var span = MediaTime.zero
    private var intervals = 0

    /// Two pictures may lie close by chance.
    private static let leastIntervals = 2
    /// Times that agree for so long are believed from then on.
    private static let mostIntervals = 48
    /// How far durations may be off the expected frame rate.
    private static let tolerance = 0.1

    /// Whether durations are believed.
    var followsDurations: Bool { if case .durations = verdict { true } else { false } }

    /// The time of a frame on this clock; frames come in the order of their presentation times.
    ///
    /// - Parameters:
    ///   - time: Its presentation time.
    ///   - duration: What the caller gave with it.
    ///   - expected: The expected frame rate, or that of the first frame's duration; nil where neither is known.
    /// - Returns: A time later than that of the frame before.
    mutating func time(of time: MediaTime, duration: MediaTime?, expecting expected: FrameRate?) -> MediaTime {
        if case .times = verdict { return time }
        guard let duration, let expected, Self.agree(duration, expected) else {
            // What goes before says nothing about what comes: the measurement starts anew.
            if start != nil { (start, last, span, intervals) = (nil, nil, .zero, 0) }
            return ahead(of: time)
        }
        if let last { note(time, after: last) }
        if start == nil { start = time }
        last = (time, duration)
        return ahead(of: time)
    }

    private func ahead(of time: MediaTime) -> MediaTime {
        if case .durations(let ahead) = verdict { time + ahead } else { time }
    }

    private mutating func note(_ time: MediaTime, after last: (time: MediaTime, duration: MediaTime)) {
        let step = time - last.time
        if case .durations(let ahead) = verdict {
            if step + step < last.duration { verdict = .durations(ahead: ahead + (last.duration - step)) }
            return
        }
        span += last.duration
        intervals += 1
        guard let start, intervals >= Self.leastIntervals else { return }
        let passed = time - start
        if passed + passed < span {
            verdict = .durations(ahead: span - passed)
        } else if intervals == Self.mostIntervals {
            verdict = .times
        }
    }

    private static func agree(_ duration: MediaTime, _ expected: FrameRate) -> Bool {
        abs(duration.seconds * expected.framesPerSecond - 1) <= tolerance
    }
}
