// SPDX-License-Identifier: MIT

package import EncoderAPI

extension MediaTime {
    /// The nearest tick of another timescale; halves go up, and 64 bits clamp it.
    package func nearestTick(timescale other: Int32) -> Int64 {
        guard other != timescale else { return value }
        let dividend = Int128(value) * Int128(other) * 2 + Int128(timescale)
        return Int64(clamping: Self.floor(dividend, Int128(timescale) * 2))
    }

    /// The first tick of another timescale that is not before this time; 64 bits clamp it.
    package func tickUp(timescale other: Int32) -> Int64 {
        guard other != timescale else { return value }
        return Int64(clamping: -Self.floor(-Int128(value) * Int128(other), Int128(timescale)))
    }

    private static func floor(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor)
    }
}
