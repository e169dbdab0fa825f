// SPDX-License-Identifier: MIT

// What people call the code points of color (ITU-T H.273 clause 8); code points without a name as their number.
extension ColorDescription {
    /// ``primaries`` in words, such as `BT.709`.
    public var primariesName: String { Self.name(primaries, in: Self.primaryNames) }

    /// ``transfer`` in words, such as `PQ`.
    public var transferName: String { Self.transferName(transfer) }

    /// ``matrix`` in words, such as `BT.2020 non-constant`.
    public var matrixName: String { Self.name(matrix, in: Self.matrices) }

    /// A code point of transfer characteristics in words.
    public static func transferName(_ code: Int) -> String { name(code, in: transfers) }

    private static func name(_ code: Int, in names: [Int: String]) -> String {
        code == 2 ? "unspecified" : names[code] ?? "code point \(code)"
    }

    /// Table 2.
    private static let primaryNames = [
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

extension ChromaFormat: CustomStringConvertible {
    /// As the field writes it: `4:2:0` and so on.
    public var description: String {
        switch self {
        case .monochrome: "4:0:0"
        case .yuv420: "4:2:0"
        case .yuv422: "4:2:2"
        case .yuv444: "4:4:4"
        }
    }
}

extension Ratio: CustomStringConvertible {
    /// The number above the line, or both with a slash where the one below is not 1.
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
