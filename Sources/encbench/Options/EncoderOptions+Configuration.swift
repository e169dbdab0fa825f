// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench

extension EncoderOptions {
    /// The configuration of a session that encodes `source` with these options.
    ///
    /// Legal ranges depend on the encoder and are checked where the session is made.
    func configuration(
        codec: VideoCodec, source: SourceDescription, rateControl: RateControl, preset: String?
    ) -> SessionConfiguration {
        var configuration = source.configuration(codec: codec)
        apply(to: &configuration)
        configuration.live.rateControl = rateControl
        configuration.preset = preset
        configuration.threadCount = threads?.count
        return configuration
    }

    /// What all points of a study have of these options.
    var common: CommonSettings {
        CommonSettings(
            threadCount: comparedThreadCount, isThreadCountAsked: threads != nil, forcedKeyFrames: forceKeyFrames,
            expectedFrameRate: expectedFrameRate, apply: { apply(to: &$0) })
    }

    private func apply(to configuration: inout SessionConfiguration) {
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
        configuration.tune = tune
        configuration.nativeOptions = native
    }
}
