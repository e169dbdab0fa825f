// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

// Options with which libx265 3.5 leaves the list of pictures whose types it decides, and stops the process.
extension X265Options {
    /// Rules on options that place key frames and the pictures before them.
    static let lookaheadRules = [boundary, leading, motion]

    private static let boundary = OptionRule<x265_param>([\.gopLookahead]) { parameters, _ in
        guard parameters.gopLookahead < 0 else { return nil }
        return OptionRule.Breach(nil, "expected 0 or more: libx265 reads in front of its list of pictures")
    }

    /// Leading pictures beside key frames that libx265 moves.
    ///
    /// At a scene cut libx265 puts the leading pictures after the cut and the key frame behind them, without looking
    /// whether that many pictures are there.
    private static let leading = OptionRule<x265_param>(
        [\.radl], besides: [\.scenecutThreshold, \.gopLookahead, \.bEnableFades]
    ) { parameters, _ in
        guard hasLeadingPictures(parameters), !isIntervalFixed(parameters), movesKeyFrames(parameters) else {
            return nil
        }
        return OptionRule.Breach(
            nil,
            "\(parameters.radl) leading pictures beside key frames at scene cuts, expected 0, or min-keyint equal to "
                + "keyint, or scenecut=0 without gop-lookahead and fades: libx265 can write outside of its list of "
                + "pictures")
    }

    /// Quantizers by motion, for which libx265 looks for a P picture that a fixed interval with leading pictures lacks.
    private static let motion = OptionRule<x265_param>([\.radl], besides: [\.bAQMotion]) { parameters, _ in
        guard hasLeadingPictures(parameters), isIntervalFixed(parameters), parameters.bAQMotion != 0 else {
            return nil
        }
        return OptionRule.Breach(
            nil,
            "\(parameters.radl) leading pictures with aq-motion at a fixed interval, expected 0, or no aq-motion: "
                + "libx265 reads behind its list of pictures")
    }

    /// Whether libx265 puts leading pictures before key frames: with open GOP it does not, and all-intra has none.
    private static func hasLeadingPictures(_ parameters: x265_param) -> Bool {
        parameters.radl > 0 && parameters.bOpenGOP == 0 && !(0...1).contains(parameters.keyframeMax)
    }

    /// Whether the least interval between key frames is the largest, as libx265 computes a least one of 0.
    private static func isIntervalFixed(_ parameters: x265_param) -> Bool {
        // A negative interval has no end.
        guard parameters.keyframeMax >= 0 else { return false }
        let second = parameters.fpsDenom == 0 ? 0 : Int(parameters.fpsNum / parameters.fpsDenom)
        let given = Int(parameters.keyframeMin)
        let least = max(1, given == 0 ? min(second, Int(parameters.keyframeMax) / 10) : given)
        return least == parameters.keyframeMax
    }

    /// Whether key frames may be where neither an interval nor a caller put them.
    private static func movesKeyFrames(_ parameters: x265_param) -> Bool {
        let hasSceneCuts = parameters.scenecutThreshold != 0 && parameters.keyframeMax >= 0
        return hasSceneCuts || parameters.gopLookahead != 0 || parameters.bEnableFades != 0
    }
}
