// SPDX-License-Identifier: MIT

public import EncoderAPI

/// What was given to a session with one picture; its token was the frame's index as an `Int`.
public struct GivenFrame: Sendable, Hashable {
    /// The presentation time.
    public var time: MediaTime
    /// The duration, if one was given.
    public var duration: MediaTime?
    /// Whether a key frame was asked for.
    public var forceKeyFrame: Bool
    /// Luma samples in a row of the picture; nil for those of the configuration.
    public var width: Int?
    /// Luma rows of the picture; nil for those of the configuration.
    public var height: Int?

    /// Notes what was given, with a picture of the configuration's size.
    public init(time: MediaTime, duration: MediaTime? = nil, forceKeyFrame: Bool = false) {
        self.time = time
        self.duration = duration
        self.forceKeyFrame = forceKeyFrame
    }

    /// Frames of one length, one after the other.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - rate: Frames per second, a whole number of 1 or more.
    ///   - start: Time of the first, in frames.
    ///   - forced: Indices of the frames that must be key frames.
    /// - Returns: Frames whose timescale is the rate.
    public static func series(
        _ count: Int, rate: Int32 = 30, start: Int64 = 0, forced: Set<Int> = []
    ) -> [GivenFrame] {
        (0..<count).map { index in
            GivenFrame(
                time: MediaTime(value: start + Int64(index), timescale: rate),
                duration: MediaTime(value: 1, timescale: rate), forceKeyFrame: forced.contains(index))
        }
    }
}
