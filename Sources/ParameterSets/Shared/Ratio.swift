// SPDX-License-Identifier: MIT

/// An exact ratio, such as frames per second or a sample's width to its height.
public struct Ratio: Hashable, Sendable {
    /// What is divided.
    public var numerator: Int
    /// What it is divided by; ``Ratio/init(_:_:)`` traps for 0.
    public var denominator: Int

    /// Makes a ratio as given, `numerator` to `denominator`, which must not be 0; it is not reduced.
    public init(_ numerator: Int, _ denominator: Int) {
        precondition(denominator != 0, "a ratio to 0")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The nearest floating-point number.
    public var value: Double { Double(numerator) / Double(denominator) }

    /// The same ratio in lowest terms, with a positive denominator; itself where that has no place in two `Int`.
    public var reduced: Ratio {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 {
            (a, b) = (b, a % b)
        }
        let divisor = max(a, 1)
        let isNegative = (numerator < 0) != (denominator < 0)
        guard let above = Int(exactly: numerator.magnitude / divisor),
            let below = Int(exactly: denominator.magnitude / divisor), below > 0
        else { return self }
        return Ratio(isNegative ? -above : above, below)
    }
}
