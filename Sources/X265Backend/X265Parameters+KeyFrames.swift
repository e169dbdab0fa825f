// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

// How far key frames are apart, and what that does to libx265.
extension X265Parameters {
    /// The interval in frames.
    static let keyFrameInterval = AssignedSetting<x265_param>(
        .maxKeyFrameInterval, \.live.asked.maxKeyFrameInterval, [\.keyframeMax]
    ) { interval, parameters in
        parameters.keyframeMax = Int32(clamping: interval)
    } text: { parameters in
        (1...1 << 30).contains(parameters.keyframeMax) ? "\(parameters.keyframeMax)" : nil
    }

    /// What leaves out the key frames that the interval asks for.
    static let otherKeyFrames = ParameterGroup<x265_param>(keyFrameInterval.setting, [\.bIntraRefresh])

    /// Whether the least interval between key frames is above the largest that is asked for, which libx265 would then
    /// pass.
    static func crossesInterval(_ parameters: x265_param, _ settings: ResolvedSettings) -> Bool {
        settings.live.asked.maxKeyFrameInterval != nil && parameters.keyframeMax > 1
            && parameters.keyframeMin > parameters.keyframeMax
    }

    /// Whether the encoder asks for each key frame itself.
    ///
    /// libx265 signals an interval of 1 as Main Intra of the range extensions, which many decoders of Main refuse; so
    /// with a profile named, it is not told.
    static func forcesEveryKeyFrame(_ settings: ResolvedSettings) -> Bool {
        settings.live.asked.maxKeyFrameInterval == 1 && settings.request.profileLevel.profile != nil
    }

    /// Does what libx265 does itself at an interval of 1.
    static func assignIntraOnly(_ parameters: inout x265_param) {
        parameters.keyframeMax = 2
        parameters.bOpenGOP = 0
        parameters.bframes = 0
        parameters.bFrameAdaptive = 0
        parameters.lookaheadDepth = 0
        parameters.scenecutThreshold = 0
        parameters.rc.cuTree = 0
        parameters.bEnableWeightedPred = 0
        parameters.bEnableWeightedBiPred = 0
        parameters.maxNumReferences = 1
    }

    /// Key frames this many pictures apart, or more, leave libx265 able to keep a buffer.
    static let safeKeyFrameInterval = 5.0

    /// Says that libx265 may not keep its buffer where nearly every picture is a key frame; data-rate limits are kept
    /// by the session.
    ///
    /// Measured on 3.5 with pictures that grow harder to code: all intra up to 2.9 times a limit, in the `x265` program
    /// as here; 1.5 times at every second picture, 1.02 at every fourth, within it at every fifth.
    static func keyFramesBeyondLimits(_ settings: ResolvedSettings) -> [Adjustment] {
        guard settings.live.asked.dataRateLimits.isEmpty, let buffer = settings.pacedRate.buffer else { return [] }
        let pictures = settings.live.asked.maxKeyFrameInterval.map(Double.init)
        let seconds = settings.live.asked.maxKeyFrameIntervalDuration.map {
            $0 * settings.plan.frameRate.framesPerSecond
        }
        guard let interval = [pictures, seconds].compactMap({ $0 }).min(), interval < safeKeyFrameInterval else {
            return []
        }
        return [
            Adjustment(
                settings.askedBuffer ?? .dataRateLimits,
                requested: "\(buffer.peakBitsPerSecond) bit/s from a buffer of \(buffer.bits) bits",
                used: "the same, which the stream may pass",
                reason: "libx265 keeps no buffer when (nearly) every picture is a key frame")
        ]
    }
}
