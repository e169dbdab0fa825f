// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import encbench

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

@Suite struct LabelPlacementTests {
    @Test("labels that lie on each other move apart in their order; others stay")
    func spread() {
        #expect(LabelPlacement.spread([10, 50], gap: 15, in: 0...100) == [10, 50])
        #expect(LabelPlacement.spread([50, 49], gap: 10, in: 0...100) == [59, 49])
        #expect(LabelPlacement.spread([98, 99], gap: 10, in: 0...100) == [90, 100])
    }

    @Test("there is always room between them where all fit")
    func random() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let wanted = (0..<6).map { _ in Double.random(in: 0...100, using: &random) }
            let places = LabelPlacement.spread(wanted, gap: 15, in: 0...100).sorted()
            #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 14.999 }, "\(places)")
            #expect(places[0] >= -1e-9 && places[5] <= 100 + 1e-9)
        }
    }
}
