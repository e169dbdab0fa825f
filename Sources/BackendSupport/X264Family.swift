// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What x264 and x265, which began as its copy, have alike.
package enum X264Family {
    /// Presets, fastest first.
    package static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]
    /// Refuses a preset that is none of ``presets``; the libraries complain on standard error or not at all.
    package static func check(preset: String?) throws(EncoderError) {
        guard let preset, !presets.contains(preset) else { return }
        throw EncoderError(
            .invalidValue, reason: "preset \"\(preset)\", expected one of \(presets.joined(separator: ", "))",
            setting: .preset)
    }

    /// Quantizers in the scale of eight bits; more bits per sample keep the scale.
    package static let quantizers = 0...51

    /// Capabilities with all that is alike in them.
    package static func capabilities(
        profiles: [Profile], bitDepths: [Int], directPixelFormats: Set<PixelFormat>, codedWidths: ClosedRange<Int>,
        codedHeights: ClosedRange<Int>, settings: Set<Setting>, tunes: [String]
    ) -> EncoderCapabilities {
        var capabilities = EncoderCapabilities(
            profiles: profiles, bitDepths: bitDepths, directPixelFormats: directPixelFormats, codedWidths: codedWidths,
            codedHeights: codedHeights, settings: settings.union(Self.settings), quantizers: quantizers)
        capabilities.constantRateFactors = 0...51
        capabilities.presets = presets
        capabilities.tunes = tunes
        // H.273 has one more code, 22, which neither writes.
        capabilities.largestColorPrimaries = 12
        // Measured with both: the share that brings the most bits through.
        capabilities.leastBufferShare = 0.2
        capabilities.takesQuantizers = true
        return capabilities
    }

    /// Settings that both have, besides those that are an assignment each.
    private static let settings: Set<Setting> = [
        .realTime, .profileLevel, .maxKeyFrameIntervalDuration, .averageBitRate, .constantBitRate,
        .variableBitRate, .vbvMaxBitRate, .vbvBufferDuration, .vbvInitialDelayPercentage, .dataRateLimits,
        .allowFrameReordering, .expectedFrameRate, .maxFrameDelayCount, .quality, .minAllowedFrameQP,
        .maxAllowedFrameQP, .forceKeyFrame, .bitRateCeiling, .constantRateFactor, .constantQuantizer, .preset, .tune,
        .threadCount, .nativeOptions,
    ]
}
