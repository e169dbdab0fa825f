// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc

/// One axis of a chart: the values it covers, and the round ones that carry a label.
struct ChartAxis: Equatable {
    /// A labelled value.
    struct Tick: Equatable {
        var value: Double
        var label: String
    }

    /// Values at its ends.
    let range: ClosedRange<Double>
    let isLogarithmic: Bool
    let ticks: [Tick]

    /// An axis whose steps are equal differences, of 1, 2 or 5 in the last digit.
    ///
    /// - Parameters:
    ///   - values: What it covers, with some room around; more than none.
    ///   - count: Ticks that there should be about.
    ///   - startsAtZero: Whether it goes down to 0, without room below.
    init(linear values: [Double], count: Int = 5, startsAtZero: Bool = false) {
        var (low, high) = (values.min() ?? 0, values.max() ?? 1)
        if startsAtZero { low = 0 }
        if low == high { high = low + max(abs(low) * 0.1, 1) }
        let room = (high - low) * 0.05
        range = (startsAtZero ? 0 : low - room)...(high + room)
        isLogarithmic = false
        let rough = (range.upperBound - range.lowerBound) / Double(max(count, 1))
        let power = pow(10, floor(log10(rough)))
        let step = [1, 2, 5, 10].map { $0 * power }.min { abs($0 - rough) < abs($1 - rough) } ?? power
        let decimals = max(0, Int(-floor(log10(step) + 1e-9)))
        let first = Int((range.lowerBound / step).rounded(.up))
        let last = Int((range.upperBound / step).rounded(.down))
        ticks = (first...max(first, last)).map {
            Tick(value: Double($0) * step, label: Format.fixed(Double($0) * step, decimals))
        }
    }

    /// An axis whose steps are equal ratios: 1, 2 and 5 of each decade, and all digits where that gives fewer than
    /// three.
    ///
    /// - Parameter values: What it covers, with some room around; more than 0.
    init(logarithmic values: [Double]) {
        let (low, high) = (values.min() ?? 1, values.max() ?? 10)
        let room = max(pow(high / low, 0.05), 1.02)
        let range = (low / room)...(high * room)
        let decades = Int(floor(log10(range.lowerBound)))...Int(ceil(log10(range.upperBound)))
        func ticks(_ digits: [Double]) -> [Tick] {
            decades.flatMap { decade in
                digits.map { digit in
                    let decimals = max(0, -decade + (digit == digit.rounded() ? 0 : 1))
                    let value = digit * pow(10, Double(decade))
                    return Tick(value: value, label: Format.fixed(value, decimals))
                }.filter { range.contains($0.value) }
            }
        }
        let few = ticks([1, 2, 5])
        self.range = range
        isLogarithmic = true
        self.ticks = few.count < 3 ? ticks([1, 1.5, 2, 3, 4, 5, 6, 8]) : few
    }

    /// Where a value lies: 0 at the axis' start, 1 at its end.
    func share(_ value: Double) -> Double {
        let scale: (Double) -> Double = isLogarithmic ? { log($0) } : { $0 }
        let (low, high) = (scale(range.lowerBound), scale(range.upperBound))
        return (scale(value) - low) / (high - low)
    }
}
