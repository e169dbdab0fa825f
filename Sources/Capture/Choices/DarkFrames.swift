// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Which of a source's first frames are left out: those of a camera are dark until it has found its exposure.
public enum DarkFrames: Sendable, Hashable {
    /// None: the default.
    case kept
    /// So many frames, 1 to 100,000.
    case frames(Int)
    /// Those of so long, more than 0 and an hour at most.
    case time(MediaTime)
    /// Those before the mean of the luma is steady, but so long at most, more than 0 and an hour at most.
    ///
    /// Steady is a mean that moves by three levels at most over eight frames and 250 ms, and is not that of black.
    case untilSteady(longest: MediaTime)

    /// Until the mean is steady, 3 s at most.
    public static let untilSteady = DarkFrames.untilSteady(longest: MediaTime(value: 3, timescale: 1))

    /// - Throws: ``CaptureError`` with `.invalidValue`.
    func check() throws(CaptureError) {
        switch self {
        case .kept: return
        case .frames(let count):
            guard (1...100_000).contains(count) else {
                throw CaptureError(.invalidValue, reason: "\(count) frames to leave out, expected 1...100000")
            }
        case .time(let time), .untilSteady(let time):
            guard time > .zero, time <= MediaTime(value: 3600, timescale: 1) else {
                throw CaptureError(
                    .invalidValue, reason: "\(time) of frames to leave out, expected more than 0 and 3600 s at most")
            }
        }
    }
}

/// Decides on each of the first frames whether it is left out: a pure value.
struct DarkGate: Sendable {
    private let rule: DarkFrames
    private var isOpen = false
    private var start: Int64?
    private var means: [(time: Int64, mean: Double)] = []
    /// Frames that were left out.
    private(set) var skipped = 0
    /// Whether the frames were never steady, and the longest time decided.
    private(set) var isGivenUp = false

    /// Frames, and microseconds, over which the mean is to be steady.
    static let (window, windowTime) = (8, Int64(250_000))
    /// By how many levels the mean may move in them.
    static let tolerance = 3.0
    /// The mean up to which a frame is taken for black: four levels above black of limited range.
    static let black = 20.0

    init(_ rule: DarkFrames) { self.rule = rule }

    /// Whether frames that come have to be looked at.
    var needsMean: Bool { if case .untilSteady = rule { !isOpen } else { false } }

    /// Decides on a frame.
    ///
    /// - Parameters:
    ///   - time: When it was captured, in microseconds.
    ///   - mean: The mean of its luma in levels of eight bits; asked where the rule needs it.
    /// - Returns: Whether it is given on.
    mutating func passes(_ time: Int64, mean: () -> Double) -> Bool {
        guard !isOpen else { return true }
        let first = start ?? time
        start = first
        switch rule {
        case .kept: isOpen = true
        case .frames(let count): isOpen = skipped >= count
        case .time(let length): isOpen = time - first >= length.ticks(timescale: 1_000_000)
        case .untilSteady(let longest):
            means.append((time, mean()))
            if isSteady {
                isOpen = true
            } else if time - first >= longest.ticks(timescale: 1_000_000) {
                (isOpen, isGivenUp) = (true, true)
            }
        }
        if !isOpen { skipped += 1 }
        return isOpen
    }

    private var isSteady: Bool {
        guard let last = means.last else { return false }
        let recent = means.suffix(Self.window)
        let since = recent.first.map { last.time - $0.time } ?? 0
        // At low rates eight frames take longer than the time, at high ones the time has more frames.
        let looked =
            since >= Self.windowTime ? recent[...] : means.filter { last.time - $0.time <= Self.windowTime }[...]
        guard means.count >= Self.window, let first = means.first, last.time - first.time >= Self.windowTime else {
            return false
        }
        let values = looked.map(\.mean)
        guard let low = values.min(), let high = values.max() else { return false }
        return high - low <= Self.tolerance && low > Self.black
    }
}
