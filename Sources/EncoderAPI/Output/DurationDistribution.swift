// SPDX-License-Identifier: MIT

/// How durations are distributed, in fixed memory: about 4 KB, whatever their number.
///
/// Durations are counted in steps of a microsecond up to 64 microseconds, and above in steps of at most 1/32 of the
/// duration, so that a percentile lies at most so much above the value; the largest is exact.
public struct DurationDistribution: Sendable, Hashable {
    /// Durations counted.
    public private(set) var count = 0
    /// The largest; nil without any.
    public private(set) var maximum: Duration?
    private var total = Duration.zero
    /// Durations in each step.
    private var counts = [UInt32](repeating: 0, count: index(ofMicroseconds: longest) + 1)

    /// Steps in each doubling.
    private static let stepsPerDoubling = 32
    private static let doublingBits = 5
    /// Two to the power of 36 microseconds, 19 hours.
    private static let longest = 1 << 36

    /// No durations.
    public init() {}

    /// The mean; nil without any.
    public var mean: Duration? { count == 0 ? nil : total / count }

    /// The least duration that so many in a hundred do not exceed.
    ///
    /// - Parameter percent: 0 to 100; what lies outside counts as the nearer of both.
    /// - Returns: The duration, at most a step above the exact one; nil without any.
    public func percentile(_ percent: Double) -> Duration? {
        guard let maximum else { return nil }
        let rank = max((Double(count) * min(max(percent, 0), 100) / 100).rounded(.up), 1)
        var seen = 0.0
        for (index, number) in counts.enumerated() where number > 0 {
            seen += Double(number)
            if seen >= rank { return min(.microseconds(Self.end(of: index)), maximum) }
        }
        return maximum
    }

    /// Counts a duration; a negative one counts as one of zero, and one of more than 19 hours as that.
    public mutating func add(_ duration: Duration) {
        let duration = min(max(duration, .zero), .microseconds(Self.longest))
        let index = Self.index(ofMicroseconds: Self.microseconds(duration))
        if counts[index] < .max { counts[index] += 1 }
        count += 1
        total += duration
        maximum = max(maximum ?? duration, duration)
    }

    /// Whole microseconds, clamped to what an `Int` holds; numbers of 64 bits do for nine seconds.
    private static func microseconds(_ duration: Duration) -> Int {
        let attoseconds = duration.attoseconds
        guard let few = Int(exactly: attoseconds) else { return Int(clamping: attoseconds / 1_000_000_000_000) }
        return few / 1_000_000_000_000
    }

    /// The step that a value lies in: up to 63 its own, then 32 in each doubling.
    private static func index(ofMicroseconds value: Int) -> Int {
        let doublings = max(Int.bitWidth - 1 - value.leadingZeroBitCount - doublingBits, 0)
        return doublings * stepsPerDoubling + value >> doublings
    }

    /// The first microsecond behind a step.
    private static func end(of index: Int) -> Int {
        let doublings = max(index / stepsPerDoubling - 1, 0)
        return (index - doublings * stepsPerDoubling + 1) << doublings
    }
}
