// SPDX-License-Identifier: MIT

import Glibc

/// Student's t: how far the mean of few values is from that of all of their kind, in standard errors.
package struct StudentT {
    /// One less than values, 1 or more.
    package let degreesOfFreedom: Int

    /// How far from 0 it stays with a probability of `share`, more than 0 and less than 1, on both sides together.
    package func quantile(central share: Double) -> Double {
        // t is sqrt(n) tan(a) for an angle below a right one, and the share grows with it.
        var (low, high) = (0.0, Double.pi / 2)
        while true {
            let middle = (low + high) / 2
            guard low < middle, middle < high else { return Double(degreesOfFreedom).squareRoot() * tan(middle) }
            if centralShare(angle: middle) < share { low = middle } else { high = middle }
        }
    }

    /// The probability of less than sqrt(n) tan(angle) on both sides: a finite sum for a whole number of degrees of
    /// freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    private func centralShare(angle: Double) -> Double {
        let isOdd = degreesOfFreedom % 2 == 1
        let (sine, cosine) = (sin(angle), cos(angle))
        var term = isOdd ? cosine : 1
        var sum = degreesOfFreedom > 1 ? term : 0
        var factor = isOdd ? 3 : 2
        while factor < degreesOfFreedom {
            term *= cosine * cosine * Double(factor - 1) / Double(factor)
            sum += term
            factor += 2
        }
        return isOdd ? 2 / .pi * (angle + sine * sum) : sine * sum
    }

    /// The interval that holds the mean of all values like these in 95 of 100 cases; nil for fewer than two values.
    package static func interval(_ values: [Double]) -> ClosedRange<Double>? {
        guard values.count > 1, values.allSatisfy(\.isFinite) else { return nil }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        let reach =
            StudentT(degreesOfFreedom: values.count - 1).quantile(central: 0.95) * (variance / count).squareRoot()
        return mean - reach...mean + reach
    }
}
