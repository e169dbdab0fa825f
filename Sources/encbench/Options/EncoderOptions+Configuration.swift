// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

extension EncoderOptions {
    /// The configuration of a session that encodes `source` with these options.
    ///
    /// Legal ranges depend on the encoder and are checked where the session is made.
    func configuration(
        codec: VideoCodec, source: SourceDescription, rateControl: RateControl, preset: String?
    ) -> SessionConfiguration {
        var configuration = source.configuration(codec: codec)
        configuration.live.rateControl = rateControl
        configuration.live.dataRateLimits = dataRateLimit
        configuration.live.minAllowedFrameQP = minQP
        configuration.live.maxAllowedFrameQP = maxQP
        if let expectedFrameRate { configuration.live.expectedFrameRate = expectedFrameRate }
        configuration.profileLevel = profileLevel
        configuration.h264EntropyMode = entropyMode
        configuration.realTime = realTime
        configuration.live.maxKeyFrameInterval = maxKeyFrameInterval
        configuration.live.maxKeyFrameIntervalDuration = maxKeyFrameIntervalDuration
        if noFrameReordering { configuration.allowFrameReordering = false }
        configuration.allowOpenGOP = openGOP
        configuration.maxFrameDelayCount = maxFrameDelayCount
        configuration.bitRateCeiling = bitRateCeiling
        configuration.preset = preset
        configuration.tune = tune
        configuration.threadCount = threads?.count
        configuration.nativeOptions = native
        return configuration
    }
}
