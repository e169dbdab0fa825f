// SPDX-License-Identifier: MIT

/// ``LiveSettings`` in the encoder's terms: what may change while an encoder is open.
public struct LiveParameters: Sendable, Hashable {
    /// What decides the bits of a picture, with the buffer that bounds them.
    public struct Rate: Sendable, Hashable {
        /// The mode, in bit/s and the codec's scales.
        public var control: RateControl
        /// The leaky bucket that the stream must fit; nil where nothing bounds it.
        public var buffer: BufferModel?

        /// Makes a mode with the buffer that bounds it.
        public init(_ control: RateControl, buffer: BufferModel? = nil) {
            self.control = control
            self.buffer = buffer
        }
    }

    /// When other parameters take effect in an encoder that is open.
    public enum Effect: Sendable, Hashable, CaseIterable {
        /// With the next picture it is given, without a key frame.
        case fromNextPicture
        /// With the next key frame; only for an encoder that lists ``Setting/forceKeyFrame``.
        case atNextKeyFrame
        /// Not while it is open.
        case withAnotherEncoder
    }

    /// Rate control.
    public var rate = Rate(.automatic)
    /// Smallest quantizer; nil for the encoder's own.
    public var minQP: Int?
    /// Largest quantizer; nil for the encoder's own.
    public var maxQP: Int?
    /// Frames per second by the presentation times, or by an expectation given since and not measured yet, where that
    /// contradicts ``EncodingPlan/frameRate``; nil while nothing does.
    ///
    /// An encoder that goes by ``SourcePicture/ticks`` ignores it; one that counts pictures takes
    /// ``ResolvedSettings/pacedRate`` instead of ``rate``.
    public var measuredFrameRate: FrameRate?
    /// Most frames from sync frame to sync frame; nil for the encoder's choice.
    public var maxKeyFrameInterval: Int?
    /// Most seconds from sync frame to sync frame, which the session keeps by forcing them; nil for no limit.
    public var maxKeyFrameIntervalDuration: Double?

    /// Makes parameters that leave everything to the encoder.
    public init() {}

    /// These parameters with the key-frame intervals of `opened`, where the session keeps those asked for by forcing
    /// key frames: any in seconds, and one in frames that is shorter than the encoder's own.
    ///
    /// For ``FrameEncoder/update(_:)`` of an encoder that keeps to the interval it was opened with: what then differs
    /// from `opened` is what it must follow.
    public func leavingIntervals(of opened: LiveParameters) -> LiveParameters {
        var rest = self
        rest.maxKeyFrameIntervalDuration = opened.maxKeyFrameIntervalDuration
        if let interval = maxKeyFrameInterval, interval < opened.maxKeyFrameInterval ?? .max {
            rest.maxKeyFrameInterval = opened.maxKeyFrameInterval
        }
        return rest
    }
}

/// A leaky bucket: filled by the coded frames, emptied at ``peakBitsPerSecond``, never to overflow ``bits``.
///
/// Any T seconds of a stream that fits carry at most `peak * T + bits`.
public struct BufferModel: Sendable, Hashable {
    /// Rate at which the decoder's buffer fills, in bit/s.
    public var peakBitsPerSecond: Int
    /// Size of the buffer in bits.
    public var bits: Int

    /// Makes a model.
    public init(peakBitsPerSecond: Int, bits: Int) {
        self.peakBitsPerSecond = peakBitsPerSecond
        self.bits = bits
    }
}
