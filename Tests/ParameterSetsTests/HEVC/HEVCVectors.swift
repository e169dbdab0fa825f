// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// Parameter sets as x265 3.5 writes them; `clip` is any 168x132 video of 29.97 frames per second.
struct HEVCVectors: Sendable, CustomStringConvertible {
    let description: String
    let vps: [UInt8]
    let sps: [UInt8]
    let pps: [UInt8]

    /// `x265 --hrd --vbv-maxrate 1000 --vbv-bufsize 2000 --bitrate 800 --sar 4:3 --colorprim bt709 --transfer bt709
    /// --colormatrix bt709 --range limited --scaling-list default clip`.
    static let main = HEVCVectors(
        description: "main",
        vps: hex("40010c01ffff01600000030090000003000003003c959809"),
        sps: hex(
            """
            42010101600000030090000003000003003ca01520227de5959a49395e1cd40404041000003e900007530601cd66e000f42400
            1e8488
            """),
        pps: hex("4401c172b46240"))

    /// `x265 --output-depth 10 --temporal-layers --crf 30 --ctu 16 --level-idc 4 --high-tier --overscan show
    /// --chromaloc 2 --no-wpp --no-open-gop clip`, with `clip` converted to 4:4:4 in 10 bits.
    static let rangeExtensions = HEVCVectors(
        description: "range extensions",
        vps: hex("40010c02ffff2408000003009c0800000300007800009598acc048"),
        sps: hex("4201022408000003009c0800000300007800009002a4044f95b2cacc566abcafff1e401ccb96c2000007d20000ea6010"),
        pps: hex("4401c17318310890"))

    /// `x265 --frames 1 --crf 30 --overscan crop --chromaloc 2 --range full --videoformat ntsc clip`.
    static let still = HEVCVectors(
        description: "still picture",
        vps: hex("40010c01ffff03700000030090000003000003003c959809"),
        sps: hex("42010103700000030090000003000003003ca01520227de5959a4932bffc7900732faad8400000fa40001d4c02"),
        pps: hex("4401c172b46240"))

    static let all = [main, rangeExtensions, still]
}
