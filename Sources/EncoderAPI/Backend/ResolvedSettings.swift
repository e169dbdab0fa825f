// SPDX-License-Identifier: MIT

/// What an encoder is opened with: five values, each with a lifetime of its own, checked and consistent.
///
/// Back ends map it to their library one value at a time; everything that all of them would decide alike is decided.
public struct ResolvedSettings: Sendable, Hashable {
    /// What the user asked for.
    ///
    /// Its size, pixel format and ``SessionConfiguration/live`` stand in ``picture`` and ``live`` as the encoder needs
    /// them, its level, reordering and timescale in ``plan``.
    public var request: SessionConfiguration
    /// What the encoder is given, and how much of it is shown.
    public var picture: PictureFormat
    /// What stays while the encoder is open.
    public var plan: EncodingPlan
    /// What may change while the encoder is open: all that ``FrameEncoder/update(_:)`` is given.
    public var live: LiveParameters
    /// Where in the stream the encoder starts.
    public var position = StreamPosition()
}

extension ResolvedSettings {
    /// Makes settings that leave everything to the encoder, as a configuration of this size without a wish resolves:
    /// for tests that drive an encoder, or a map from settings to a library's parameters, without a session.
    ///
    /// Set the properties of the five values afterwards. The frame rate counts as known and the timescale as its
    /// numerator: tick n is frame n when the denominator is 1.
    ///
    /// - Parameters:
    ///   - codec: The standard to encode to.
    ///   - width: Luma samples in a row as shown; an odd width is coded at the next even one.
    ///   - height: Luma rows as shown; likewise.
    ///   - pixelFormat: The format of the pictures the encoder is given; its depth is the coded one.
    ///   - frameRate: Frames per second, 1 or more.
    public init(
        codec: VideoCodec, width: Int, height: Int, pixelFormat: PixelFormat = .i420, frameRate: FrameRate = 30
    ) {
        self.init(
            request: SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: pixelFormat),
            picture: PictureFormat(width: width, height: height, pixelFormat: pixelFormat),
            plan: EncodingPlan(frameRate: frameRate, timescale: Int32(clamping: frameRate.numerator)),
            live: LiveParameters())
    }

    /// Whether ``EncodingPlan/level`` was chosen for the bit-rate ceiling rather than named.
    public var isLevelFromCeiling: Bool { request.bitRateCeiling != nil && request.profileLevel.level == nil }

    /// ``LiveParameters/rate`` for an encoder that counts frames at ``EncodingPlan/frameRate``, so that bits per second
    /// come out as asked where the frames come at ``LiveParameters/pace``: fewer bits for each second of
    /// the frame rate when more frames come.
    ///
    /// The buffer keeps its size. Rounded to units of 1000 bit/s, in which libraries count, and to no less than one:
    /// down where data-rate limits are asked for, else to the nearest. Adjustments tell the rate that was asked for,
    /// not this one.
    public var pacedRate: LiveParameters.Rate {
        guard live.pace != nil else { return live.rate }
        let share = pacedShare
        let rounding = live.asked.dataRateLimits.isEmpty ? FloatingPointRoundingRule.toNearestOrEven : .down
        func scaled(_ bitsPerSecond: Int) -> Int {
            Int(max((Double(bitsPerSecond) * share / 1000).rounded(rounding), 1)) * 1000
        }
        var paced = live.rate
        if let average = paced.control.bitsPerSecond { paced.control.bitsPerSecond = scaled(average) }
        if let peak = paced.buffer?.peakBitsPerSecond { paced.buffer?.peakBitsPerSecond = scaled(peak) }
        return paced
    }

    /// What a second of the frame rate gets of a second of the pace; 1 where nothing contradicts the frame rate.
    package var pacedShare: Double {
        guard let pace = live.pace, pace.isPositive else { return 1 }
        return plan.frameRate.framesPerSecond / pace.framesPerSecond
    }
}
