// SPDX-License-Identifier: MIT

/// What was decided for an encoder and stays while it is open; what nobody need decide is in the request.
public struct EncodingPlan: Sendable, Hashable {
    /// The level in tenths; nil for the encoder's choice.
    ///
    /// The encoder signals it and keeps its limits: those of reference pictures always, those of rate and buffer where
    /// ``LiveParameters/Rate/buffer`` is nil.
    public var level: Int?
    /// Whether B pictures may be used, as the configuration or its profile says.
    ///
    /// ``SessionConfiguration/realTime`` does not show here: there are none in real time either.
    public var allowFrameReordering = true
    /// Frames per second that the encoder is opened for, 1 or more: what it signals, and what its level must allow.
    ///
    /// The stream goes on with the rate that its parameter sets signal until a call is told that they may change; see
    /// <doc:Timestamps>.
    public var frameRate: FrameRate
    /// Whether ``frameRate`` was given or measured; false where it is a guess.
    public var isFrameRateKnown = true
    /// Ticks per second of ``SourcePicture/ticks``.
    public var timescale: Int32

    /// Makes a plan for a known frame rate that leaves everything else to the encoder.
    public init(frameRate: FrameRate, timescale: Int32) {
        self.frameRate = frameRate
        self.timescale = timescale
    }
}
