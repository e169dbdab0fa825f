// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import BenchReports

@Suite struct ChartAxisTests {
    @Test("linear ticks are round numbers of one step, with no more decimals than the step has")
    func linear() {
        #expect(ChartAxis(linear: [37.6, 47.5]).ticks.map(\.label) == ["38", "40", "42", "44", "46"])
        #expect(ChartAxis(linear: [0.957, 0.994]).ticks.map(\.label) == ["0.96", "0.97", "0.98", "0.99"])
        #expect(
            ChartAxis(linear: [0, 48], startsAtZero: true).ticks.map(\.label) == ["0", "10", "20", "30", "40", "50"])
    }

    @Test("logarithmic ticks are 1, 2 and 5 of each decade, and more where those are too few")
    func logarithmic() {
        #expect(ChartAxis(logarithmic: [78, 634]).ticks.map(\.label) == ["100", "200", "500"])
        #expect(ChartAxis(logarithmic: [1, 2.4]).ticks.map(\.label) == ["1", "1.5", "2"])
        #expect(ChartAxis(logarithmic: [0.3, 25]).ticks.map(\.label) == ["0.5", "1", "2", "5", "10", "20"])
    }

    @Test("whatever is covered lies on the axis, and every tick too, also where all values are one")
    func range() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let magnitude = Double.random(in: 0.001...100_000, using: &random)
            let values = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Double.random(in: 0.001...1, using: &random) * magnitude
            }
            for axis in [ChartAxis(linear: values), ChartAxis(logarithmic: values)] {
                let shares = values.map(axis.share) + axis.ticks.map { axis.share($0.value) }
                #expect(shares.allSatisfy { (-1e-9...1 + 1e-9).contains($0) }, "\(values)")
                #expect((0...14).contains(axis.ticks.count), "\(values): \(axis.ticks)")
            }
        }
    }
}
