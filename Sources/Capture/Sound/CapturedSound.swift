// SPDX-License-Identifier: MIT

public import EncoderAPI

/// A piece of sound that was captured.
public struct CapturedSound: Sendable {
    /// Interleaved samples; full scale is -1 to 1.
    public var samples: [Float]
    /// Samples in a sample frame, 1 or 2: more are mixed to two.
    public var channelCount: Int
    /// Sample frames in a second.
    public var sampleRate: Int
    /// When its first sample frame was recorded, or of a monitor is heard, in microseconds of the system's monotonic
    /// clock; later than that of the piece before.
    public var time: MediaTime

    /// Sample frames in it.
    public var frameCount: Int { samples.count / max(channelCount, 1) }
}
