// SPDX-License-Identifier: MIT

package import EncoderAPI

extension MediaTime {
    /// The nearest tick of another timescale; halves go up, and 64 bits clamp it.
    package func nearestTick(timescale other: Int32) -> Int64 {
        guard other != timescale else { return value }
        // Divisions of 128 bits take many times as long as those of 64, which hold nearly all times.
        let (double, isTooLarge) = value.multipliedReportingOverflow(by: Int64(other) * 2)
        if !isTooLarge, double < Int64.max - Int64(timescale) {
            return Self.floor(double + Int64(timescale), Int64(timescale) * 2)
        }
        let dividend = Int128(value) * Int128(other) * 2 + Int128(timescale)
        return Int64(clamping: Self.floor(dividend, Int128(timescale) * 2))
    }

    /// The first tick of another timescale that is not before this time; 64 bits clamp it.
    package func tickUp(timescale other: Int32) -> Int64 {
        guard other != timescale else { return value }
        return Int64(clamping: -Self.floor(-Int128(value) * Int128(other), Int128(timescale)))
    }

    /// So many times this time; 64 bits clamp it.
    package func times(_ count: Int) -> MediaTime {
        MediaTime(value: Int64(clamping: Int128(value) * Int128(count)), timescale: timescale)
    }

    private static func floor<Whole: FixedWidthInteger>(_ dividend: Whole, _ divisor: Whole) -> Whole {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
