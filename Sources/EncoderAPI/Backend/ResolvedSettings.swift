// SPDX-License-Identifier: MIT

/// A configuration after it was checked against an encoder: complete, consistent, in the encoder's terms.
///
/// Back ends map it to their library one value at a time; everything that all of them would decide alike is decided.
public struct ResolvedSettings: Sendable, Hashable {
    /// What decides the bits of a picture, with the buffer that bounds them.
    public struct Rate: Sendable, Hashable {
        /// The mode, in bit/s and the codec's scales.
        public var control: RateControl
        /// The leaky bucket that the stream must fit; nil where nothing bounds it.
        public var buffer: BufferModel?
    }

    /// The standard to encode to.
    public var codec: VideoCodec
    /// Width in luma samples as shown; at most ``codedWidth``.
    public var width: Int
    /// Height in luma rows as shown; at most ``codedHeight``.
    public var height: Int
    /// Width in luma samples as coded: what the encoder is given.
    public var codedWidth: Int
    /// Height in luma rows as coded: what the encoder is given.
    public var codedHeight: Int
    /// The format of the pictures the encoder is given; one of its direct formats.
    public var pixelFormat: PixelFormat
    /// Bits of a coded sample.
    public var bitDepth: Int
    /// The profile; nil for the encoder's choice.
    public var profile: Profile?
    /// The level in tenths; nil for the encoder's choice.
    public var level: Int?
    /// H.264's symbol coding; nil for the encoder's choice.
    public var entropyMode: H264EntropyMode?
    /// Whether the encoder must keep up with a live source.
    public var realTime: Bool
    /// Most frames from sync frame to sync frame; 0 for the encoder's choice.
    public var maxKeyFrameInterval: Int
    /// Whether B pictures may be used.
    public var allowFrameReordering: Bool
    /// Whether a GOP may depend on the one before.
    public var allowOpenGOP: Bool
    /// Most frames the encoder may hold; nil for no limit.
    public var maxFrameDelayCount: Int?
    /// Frames to come; 0 when unknown.
    public var sourceFrameCount: Int
    /// Rate control.
    public var rate: Rate
    /// Smallest quantizer; nil for the encoder's own.
    public var minQP: Int?
    /// Largest quantizer; nil for the encoder's own.
    public var maxQP: Int?
    /// Frames per second that the encoder is opened for: what it signals, and what its level must allow.
    public var frameRate: FrameRate
    /// Whether ``frameRate`` was given or measured; false where it is a guess.
    public var isFrameRateKnown: Bool
    /// Frames per second by the presentation times, where they contradict ``frameRate``; nil while they do not.
    ///
    /// May change while the encoder runs. An encoder that goes by ``SourcePicture/ticks`` ignores it; one that counts
    /// pictures takes ``pacedRate`` instead of ``rate``.
    public var measuredFrameRate: FrameRate?
    /// Ticks per second of ``SourcePicture/ticks``.
    public var timescale: Int32
    /// What the samples mean; nil to signal nothing.
    public var color: ColorDescription?
    /// Shape of a sample; nil to signal nothing.
    public var pixelAspectRatio: PixelAspectRatio?
    /// The library's preset; nil for its default.
    public var preset: String?
    /// The library's tune; nil for none.
    public var tune: String?
    /// Threads; 0 for the library's choice.
    public var threadCount: Int
    /// Options by the library's own names, to be applied last.
    public var nativeOptions: [NativeOption]
    /// Most seconds from sync frame to sync frame, which the session keeps by forcing them; 0 for no limit.
    public var maxKeyFrameIntervalDuration = 0.0
    /// Whether ``level`` was chosen for the bit-rate ceiling rather than named.
    public var isLevelFromCeiling = false

    /// ``rate`` for an encoder that counts pictures at ``frameRate``, so that bits per second come out as asked where the
    /// pictures come at ``measuredFrameRate``: fewer bits for each second of ``frameRate`` when more pictures come.
    ///
    /// The buffer keeps its size. Rounded down.
    public var pacedRate: Rate {
        guard let measuredFrameRate, measuredFrameRate.isKnown else { return rate }
        let share = frameRate.framesPerSecond / measuredFrameRate.framesPerSecond
        func scaled(_ bitsPerSecond: Int) -> Int { Int((Double(bitsPerSecond) * share).rounded(.down)) }
        var paced = rate
        if case .averageBitRate(let average) = rate.control { paced.control = .averageBitRate(scaled(average)) }
        if let peak = rate.buffer?.peakBitsPerSecond { paced.buffer?.peakBitsPerSecond = scaled(peak) }
        return paced
    }

    /// Luma samples to crop at the right: even, so an odd ``width`` shows one sample more.
    public var cropRight: Int { (codedWidth - width) / 2 * 2 }
    /// Luma rows to crop at the bottom: even, so an odd ``height`` shows one row more.
    public var cropBottom: Int { (codedHeight - height) / 2 * 2 }
}

/// A leaky bucket: filled by the coded frames, emptied at ``peakBitsPerSecond``, never to overflow ``bits``.
///
/// Any T seconds of a stream that fits carry at most `peak * T + bits`.
public struct BufferModel: Sendable, Hashable {
    /// Rate at which the decoder's buffer fills, in bit/s.
    public var peakBitsPerSecond: Int
    /// Size of the buffer in bits.
    public var bits: Int
    /// How full the decoder's buffer is when its first picture is decoded, 0 to 1.
    public var initialFullness: Double

    /// Makes a model.
    public init(peakBitsPerSecond: Int, bits: Int, initialFullness: Double = 0.9) {
        self.peakBitsPerSecond = peakBitsPerSecond
        self.bits = bits
        self.initialFullness = initialFullness
    }
}
