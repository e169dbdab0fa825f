// SPDX-License-Identifier: MIT

/// An exact time or duration: `value / timescale` seconds.
///
/// The counterpart of CMTime without its invalid and infinite values: where a time may be absent, the API says
/// `MediaTime?`. Comparison is by time, so 1/2 equals 15/30; a session gives each time back with the value and
/// timescale it was given.
public struct MediaTime: Sendable {
    /// Number of ticks; may be negative.
    public let value: Int64
    /// Ticks per second, 1 or more.
    public let timescale: Int32

    /// Makes a time of `value` ticks.
    ///
    /// - Parameters:
    ///   - value: Number of ticks; may be negative.
    ///   - timescale: Ticks per second. Traps unless it is positive, as a division by zero would.
    public init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "timescale \(timescale), expected 1 or more")
        self.value = value
        self.timescale = timescale
    }

    /// Makes the tick nearest to `seconds`; times outside the range of 64-bit ticks are clamped to its ends,
    /// and not-a-number is 0.
    ///
    /// - Parameters:
    ///   - seconds: The time; may be negative.
    ///   - preferredTimescale: Ticks per second. Traps unless it is positive.
    public init(seconds: Double, preferredTimescale: Int32) {
        let ticks = (seconds * Double(preferredTimescale)).rounded()
        let value = Int64(exactly: ticks) ?? (ticks > 0 ? .max : (ticks < 0 ? .min : 0))
        self.init(value: value, timescale: preferredTimescale)
    }

    /// Zero seconds.
    public static let zero = MediaTime(value: 0, timescale: 1)

    /// The time in seconds, rounded to the nearest Double.
    public var seconds: Double { Double(value) / Double(timescale) }

    /// The number of ticks of another timescale, rounded down; clamped to 64 bits.
    public func ticks(timescale other: Int32) -> Int64 {
        if other == timescale { return value }
        let product = Int128(value) * Int128(other)
        let scale = Int128(timescale)
        let floor = product >= 0 ? product / scale : -((-product + scale - 1) / scale)
        return Int64(clamping: floor)
    }
}

// MARK: - Comparing

extension MediaTime: Hashable, Comparable {
    /// Whether both are the same time, whatever their timescales.
    public static func == (left: MediaTime, right: MediaTime) -> Bool {
        if left.timescale == right.timescale { return left.value == right.value }
        return Int128(left.value) * Int128(right.timescale) == Int128(right.value) * Int128(left.timescale)
    }

    /// Whether `left` is earlier than `right`, whatever their timescales.
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        if left.timescale == right.timescale { return left.value < right.value }
        return Int128(left.value) * Int128(right.timescale) < Int128(right.value) * Int128(left.timescale)
    }

    /// Hashes the time in lowest terms, so that equal times hash alike.
    public func hash(into hasher: inout Hasher) {
        let divisor = Self.greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value / Int64(divisor))
        hasher.combine(timescale / Int32(divisor))
    }

    /// The largest number that divides both; `second` is not zero, so neither is the result.
    static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (a, b) = (first, second)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

// MARK: - Arithmetic

extension MediaTime: AdditiveArithmetic {
    /// The sum, clamped to 64 bits: exact where both timescales have a common multiple in 31 bits, else in ticks of the
    /// finer, with the other rounded towards zero.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime { combine(left, right, isSum: true) }

    /// The difference, exact or rounded as a sum is.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { combine(left, right, isSum: false) }

    private static func combine(_ left: MediaTime, _ right: MediaTime, isSum: Bool) -> MediaTime {
        if left.timescale == right.timescale,
            let value = combine(left.value, right.value, isSum: isSum)
        {
            return MediaTime(value: value, timescale: left.timescale)
        }
        let divisor = Int64(greatestCommonDivisor(UInt64(left.timescale), UInt64(right.timescale)))
        let multiple = Int64(left.timescale) / divisor * Int64(right.timescale)
        // Nearly all times: divisions of 128 bits take many times as long as the rest.
        if let timescale = Int32(exactly: multiple),
            let value = combine(
                left.value, times: Int64(right.timescale) / divisor, right.value,
                times: Int64(left.timescale) / divisor,
                isSum: isSum)
        {
            return MediaTime(value: value, timescale: timescale)
        }
        let timescale = Int32(exactly: multiple) ?? max(left.timescale, right.timescale)
        let leftTicks = Int128(left.value) * Int128(timescale) / Int128(left.timescale)
        let rightTicks = Int128(right.value) * Int128(timescale) / Int128(right.timescale)
        let ticks = isSum ? leftTicks + rightTicks : leftTicks - rightTicks
        return MediaTime(value: Int64(clamping: ticks), timescale: timescale)
    }

    /// The sum or difference of two products; nil where 64 bits do not hold all of it.
    private static func combine(
        _ left: Int64, times leftFactor: Int64 = 1, _ right: Int64, times rightFactor: Int64 = 1, isSum: Bool
    ) -> Int64? {
        let (first, isFirstTooLarge) = left.multipliedReportingOverflow(by: leftFactor)
        let (second, isSecondTooLarge) = right.multipliedReportingOverflow(by: rightFactor)
        guard !isFirstTooLarge, !isSecondTooLarge else { return nil }
        let (value, isTooLarge) =
            isSum ? first.addingReportingOverflow(second) : first.subtractingReportingOverflow(second)
        return isTooLarge ? nil : value
    }
}

extension MediaTime: CustomStringConvertible {
    /// The time as "value/timescale s".
    public var description: String { "\(value)/\(timescale) s" }
}
