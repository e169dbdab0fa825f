// SPDX-License-Identifier: MIT

/// ``LiveSettings`` in the encoder's terms: what may change while an encoder is open.
public struct LiveParameters: Sendable {
    /// What decides the bits of a picture, with the buffer that bounds them.
    public struct Rate: Sendable, Hashable {
        /// The mode, in bit/s and the codec's scales.
        public var control: RateControl
        /// The leaky bucket that the stream must fit; nil where no rate and no data-rate limit is asked for.
        ///
        /// A level or ceiling alone sets none: where this is nil, the encoder keeps ``EncodingPlan/level`` by itself.
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

    /// What was asked for last: an encoder follows the bounds of the quantizer and the key-frame intervals in here,
    /// and ``rate`` and ``pace`` in place of the rest.
    public var asked = LiveSettings()
    /// Rate control, as the limits and the level leave it.
    public var rate = Rate(.automatic)
    /// Frames per second by the presentation times, or by a hint given since and not measured yet, where that
    /// contradicts ``EncodingPlan/frameRate``; nil while nothing does.
    ///
    /// An encoder that goes by ``SourcePicture/ticks`` ignores it; one that counts pictures takes
    /// ``ResolvedSettings/pacedRate`` instead of ``rate``.
    public var pace: FrameRate?

    /// Makes parameters that leave everything to the encoder.
    public init() {}

    /// These parameters with the key-frame intervals of `opened`, where the session keeps those asked for by forcing
    /// key frames: any in seconds, and one in frames that is shorter than the encoder's own.
    ///
    /// For ``FrameEncoder/update(_:)`` of an encoder that keeps to the interval it was opened with: what then differs
    /// from `opened` is what it must follow.
    public func leavingIntervals(of opened: LiveParameters) -> LiveParameters {
        var rest = self
        rest.asked.maxKeyFrameIntervalDuration = opened.asked.maxKeyFrameIntervalDuration
        if let interval = asked.maxKeyFrameInterval, interval < opened.asked.maxKeyFrameInterval ?? .max {
            rest.asked.maxKeyFrameInterval = opened.asked.maxKeyFrameInterval
        }
        return rest
    }
}

extension LiveParameters: Hashable {
    /// Whether an encoder does the same with both: what ``rate`` and ``pace`` were decided from does not count.
    public static func == (left: LiveParameters, right: LiveParameters) -> Bool {
        left.rate == right.rate && left.pace == right.pace && left.followed == right.followed
    }

    /// Hashes what counts for equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rate)
        hasher.combine(pace)
        hasher.combine(followed)
    }

    /// What an encoder follows as it was asked for.
    private var followed: LiveSettings {
        var followed = asked
        followed.rateControl = .automatic
        followed.dataRateLimits = []
        (followed.vbvMaxBitRate, followed.vbvBufferDuration) = (nil, nil)
        followed.vbvInitialDelayPercentage = nil
        followed.expectedFrameRate = nil
        return followed
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
