// SPDX-License-Identifier: MIT

/// How R'G'B' of full range become Y, Cb and Cr of eight bits (ITU-T H.273, 8.3), in integers.
struct ColorMatrix: Sendable, Hashable {
    /// What red, green and blue count, in 2^-15.
    struct Row: Sendable, Hashable {
        var red: Int16
        var green: Int16
        var blue: Int16
    }

    /// Bits behind the point in a row.
    static let fraction = 15

    let luma: Row
    let cb: Row
    let cr: Row
    /// Y of black: 16, or 0 in full range.
    let blackLuma: Int

    /// The codes of H.273's table 4 that are here, each with its Kr and Kb.
    static let weights: [Int: (red: Double, blue: Double)] = [
        1: (0.2126, 0.0722), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114), 7: (0.212, 0.087),
        9: (0.2627, 0.0593),
    ]

    /// Takes a code of table 4; nil for one that is not here.
    init?(code: Int, isFullRange: Bool) {
        guard let weights = Self.weights[code] else { return nil }
        let one = Double(1 << Self.fraction)
        let (lumaScale, chromaScale) = isFullRange ? (one, one) : (one * 219 / 255, one * 224 / 255)
        let green = 1 - weights.red - weights.blue
        func integer(_ value: Double) -> Int { Int(value.rounded()) }
        // Green takes what rounding leaves, so that white is exactly white and grey has no color.
        func row(_ red: Double, _ blue: Double, sum: Double) -> Row {
            let (red, blue) = (integer(red), integer(blue))
            return Row(red: Int16(red), green: Int16(integer(sum) - red - blue), blue: Int16(blue))
        }
        luma = row(weights.red * lumaScale, weights.blue * lumaScale, sum: lumaScale)
        cb = row(-weights.red / (1 - weights.blue) / 2 * chromaScale, chromaScale / 2, sum: 0)
        cr = row(chromaScale / 2, -weights.blue / (1 - weights.red) / 2 * chromaScale, sum: 0)
        blackLuma = isFullRange ? 0 : 16
        assert(green > 0)
    }
}
