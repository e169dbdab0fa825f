// SPDX-License-Identifier: MIT

import ParameterSets

/// What people call the code points of colour (ITU-T H.273 clause 8).
enum ColourNames {
    /// The parts of a description by name, in words; code points without a name as their number.
    static func facts(_ colour: ColourDescription) -> [Labelled<DerivedValue>] {
        [
            Labelled("colour_primaries", .text(name(colour.colourPrimaries, in: primaries))),
            Labelled("transfer_characteristics", .text(name(colour.transferCharacteristics, in: transfers))),
            Labelled("matrix_coefficients", .text(name(colour.matrixCoefficients, in: matrices))),
        ]
    }

    private static func name(_ code: Int, in names: [Int: String]) -> String {
        code == 2 ? "unspecified" : names[code] ?? "code point \(code)"
    }

    /// Table 2.
    private static let primaries = [
        1: "BT.709", 4: "BT.470 System M", 5: "BT.601 625", 6: "BT.601 525", 7: "SMPTE 240M", 8: "generic film",
        9: "BT.2020", 10: "SMPTE ST 428-1", 11: "SMPTE RP 431-2", 12: "SMPTE EG 432-1", 22: "EBU Tech 3213",
    ]

    /// Table 3.
    private static let transfers = [
        1: "BT.709", 4: "gamma 2.2", 5: "gamma 2.8", 6: "BT.601", 7: "SMPTE 240M", 8: "linear", 9: "logarithmic 100:1",
        10: "logarithmic 316:1", 11: "IEC 61966-2-4", 12: "BT.1361", 13: "sRGB", 14: "BT.2020 10-bit",
        15: "BT.2020 12-bit", 16: "PQ", 17: "SMPTE ST 428-1", 18: "HLG",
    ]

    /// Table 4.
    private static let matrices = [
        0: "RGB", 1: "BT.709", 4: "FCC", 5: "BT.601 625", 6: "BT.601 525", 7: "SMPTE 240M", 8: "YCgCo",
        9: "BT.2020 non-constant", 10: "BT.2020 constant", 11: "SMPTE ST 2085", 12: "derived non-constant",
        13: "derived constant", 14: "ICtCp",
    ]
}
