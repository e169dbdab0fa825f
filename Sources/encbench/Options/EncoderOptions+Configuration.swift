// SPDX-License-Identifier: MIT

import EncoderAPI

/// What an input says about itself before its first picture is read.
struct SourceDescription: Equatable, Sendable {
    var width: Int
    var height: Int
    var pixelFormat: PixelFormat
    var frameRate: FrameRate?
    /// Whether all pictures last equally long.
    var isConstantRate = false
    /// Frames to come; nil when unknown.
    var frameCount: Int?
    var color: ColorDescription?
    var pixelAspectRatio: PixelAspectRatio?
    var metadata = SourceMetadata()

    /// This description with colors that an encoder cannot write as unspecified, and without a number of frames that
    /// it has no use for.
    func writable(by encoder: EncoderDescription) -> SourceDescription {
        var source = self
        if !encoder.capabilities.settings.contains(.sourceFrameCount) { source.frameCount = nil }
        let color = color?.legal(with: encoder.capabilities)
        source.color = color == ColorDescription() ? nil : color
        return source
    }
}

extension EncoderOptions {
    /// The configuration of a session that encodes `source` with these options.
    ///
    /// Legal ranges depend on the encoder and are checked where the session is made.
    func configuration(
        codec: VideoCodec, source: SourceDescription, rateControl: RateControl, preset: String?
    ) -> SessionConfiguration {
        var configuration = SessionConfiguration(
            codec: codec, width: source.width, height: source.height, pixelFormat: source.pixelFormat)
        configuration.live.rateControl = rateControl
        configuration.live.dataRateLimits = dataRateLimit
        configuration.live.minAllowedFrameQP = minQP
        configuration.live.maxAllowedFrameQP = maxQP
        configuration.live.expectedFrameRate = expectedFrameRate ?? source.frameRate
        configuration.profileLevel = profileLevel
        configuration.h264EntropyMode = entropyMode
        configuration.realTime = realTime
        configuration.live.maxKeyFrameInterval = maxKeyFrameInterval
        configuration.live.maxKeyFrameIntervalDuration = maxKeyFrameIntervalDuration
        if noFrameReordering { configuration.allowFrameReordering = false }
        configuration.allowOpenGOP = openGOP
        configuration.maxFrameDelayCount = maxFrameDelayCount
        configuration.sourceFrameCount = source.frameCount
        configuration.bitRateCeiling = bitRateCeiling
        configuration.color = source.color
        configuration.pixelAspectRatio = source.pixelAspectRatio
        configuration.preset = preset
        configuration.tune = tune
        configuration.threadCount = threads?.count
        configuration.nativeOptions = native
        return configuration
    }
}

extension SessionConfiguration {
    /// Tells a library by its own options what they say of a source, before those that are set already.
    mutating func addOptions(for source: SourceDescription, to encoder: EncoderKind) {
        if let names = encoder.metadataOptions {
            nativeOptions.insert(contentsOf: source.metadata.options(names), at: 0)
        }
        promiseConstantRate(of: source, to: encoder)
    }

    /// Tells a library that has an option for it that frames come at a constant rate, and leaves out the number of
    /// frames.
    ///
    /// Rate control then counts pictures as the library's program does for such input, and the encoder holds one frame
    /// less.
    private mutating func promiseConstantRate(of source: SourceDescription, to encoder: EncoderKind) {
        guard let option = encoder.constantRateOption else { return }
        sourceFrameCount = nil
        guard source.isConstantRate else { return }
        nativeOptions.insert(option, at: 0)
    }
}
