// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// Parameter sets as x264 0.164 writes them; `clip` is any 176x144 video of 29.97 frames per second.
enum H264Vectors {
    /// `x264 --vbv-maxrate 1000 --vbv-bufsize 2000 --nal-hrd cbr --bitrate 1000 --sar 4:3 --colorprim bt709
    /// --transfer bt709 --colormatrix bt709 clip`.
    static let high = hex("67640014acd942c4ec39a808080a000007d20001d4c1c0c001e848003d09cd8600f1429960")
    static let highPPS = hex("68eaecb22c")
    /// `x264 --profile baseline clip`.
    static let baseline = hex("6742c00bd902c4effc020001d4400000fa40003a9823c50a92")
    static let baselinePPS = hex("68cb83cb20")
    /// `x264 --interlaced --cqm jvt --range pc --crop-rect 2,4,6,8 --output-csp i422 clip`.
    static let high422 = hex("677a0015bcd942cae88c6cd90000030001000003003c9f142996")
    static let high422PPS = hex("68fba3cb3002c0")
    /// `x264 --output-csp i444 --output-depth 10 --cqm jvt clip`.
    static let high444 = hex("67f4000b90d9b28589d080000003008000001e478a14cb")
    static let high444PPS = hex("68ebe3c44c000440")

    static let all = [(high, highPPS), (baseline, baselinePPS), (high422, high422PPS), (high444, high444PPS)]
}

/// The parameter sets of a stream that has one SPS.
func sets(_ sps: H264SPS) -> H264ParameterSets {
    var sets = H264ParameterSets()
    sets.insert(sps)
    return sets
}
