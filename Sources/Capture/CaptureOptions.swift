// SPDX-License-Identifier: MIT

public import EncoderAPI

/// How a source is captured.
public struct CaptureOptions: Sendable {
    /// Luma samples in a row and luma rows; nil, the default, for the whole screen, a camera's mode of up to 1280x720,
    /// or what the graph says.
    ///
    /// A size that a camera does not have is refused with those it has, one beyond the screen, and any beside a graph.
    /// Sides are 1 to 65535.
    public var size: (width: Int, height: Int)?
    /// Frames per second, more than 0 and 1000 at most; nil, the default, for 30 of a screen, what a camera has next to
    /// 30, and what the graph says, beside which none is given.
    public var frameRate: FrameRate?
    /// Which of the first frames are left out; none by default.
    public var darkFrames = DarkFrames.kept
    /// Whether each picture is given with its exact duration, and so an interval later: false by default.
    ///
    /// How long a picture is shown is known when the next one comes. Without it, durations follow from the next
    /// picture's time.
    public var knowsDurations = false
    /// Whether sources of libavfilter give their frames when their times have come; true by default, false to give them
    /// as fast as they are taken.
    public var isPaced = true
    /// What libavfilter's sources call time 0; nil, the default, for when they are asked first.
    public var origin: CaptureOrigin?
    /// How long a source may take to open and give something, more than 0 and an hour at most; 5 s by default.
    ///
    /// A sound card takes more than a second: it is listened to for so long.
    public var longestOpening: Duration = .seconds(5)
    /// How long a source may give nothing, more than 0 and an hour at most; 5 s by default.
    public var longestSilence: Duration = .seconds(5)

    /// Makes the default options.
    public init() {}

    /// - Throws: ``CaptureError`` with `.invalidValue`.
    func check(_ source: CaptureSource) throws(CaptureError) {
        if let size {
            for (name, side) in [("width", size.width), ("height", size.height)] where !(1...65535).contains(side) {
                throw CaptureError(
                    .invalidValue, reason: "\(name) \(side), expected 1...65535", source: source.description)
            }
        }
        if let frameRate {
            let isLegal = frameRate.numerator > 0 && frameRate.denominator > 0
            guard isLegal, frameRate.numerator <= 1_000_000_000, frameRate.denominator <= 1_000_000_000,
                frameRate.framesPerSecond <= 1000
            else {
                throw CaptureError(
                    .invalidValue,
                    reason: "\(frameRate.fraction) frames/s, expected more than 0 and 1000 at most",
                    source: source.description)
            }
        }
        if source.kind == .lavfi, size != nil || frameRate != nil {
            throw CaptureError(
                .invalidValue,
                reason: "a size or rate beside a graph, expected both in it, as testsrc2=size=640x360:rate=30",
                source: source.description)
        }
        for limit in [longestOpening, longestSilence] where limit <= .zero || limit > .seconds(3600) {
            throw CaptureError(
                .invalidValue, reason: "a limit of \(limit), expected more than 0 and an hour at most",
                source: source.description)
        }
        try darkFrames.check()
    }
}

/// What became of a source's frames so far.
public struct CaptureStatistics: Sendable, Hashable {
    /// Pictures that were given on.
    public var given = 0
    /// Frames that were due by the source's rate and did not come: nothing stands in for them.
    ///
    /// One that is late counts until it comes. Of a source that gives no more than its rate, they are with those given,
    /// ``dark`` and ``surplus`` the frames that were due.
    public var lost = 0
    /// First frames that were left out, as ``CaptureOptions/darkFrames`` asks.
    public var dark = 0
    /// Whether the luma was not steady in time, so that a frame was given all the same.
    public var isNeverSteady = false
    /// Frames that came damaged, and were left out; those due in their place count as lost.
    public var damaged = 0
    /// Frames that were left out because a source that was held up gave several at once: a screen does, where the
    /// server or the reader was slow.
    public var surplus = 0

    /// Nothing came.
    public init() {}
}
