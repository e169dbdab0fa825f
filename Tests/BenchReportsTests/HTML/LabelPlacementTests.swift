// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import BenchReports

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

    @Test("labels beside points lie on no mark and on no other label, and within the frame")
    func beside() {
        var random = SeededGenerator()
        let frame = LabelPlacement.Box(left: 40, top: 24, width: 360, height: 220)
        for _ in 0..<200 {
            // Points near each other, as clips of one kind give them.
            let center = (
                x: Double.random(in: 60...380, using: &random), y: Double.random(in: 40...230, using: &random)
            )
            let points = (0..<12).map { _ in
                (
                    x: min(max(center.x + .random(in: -30...30, using: &random), 45), 395),
                    y: min(max(center.y + .random(in: -20...20, using: &random), 30), 240)
                )
            }
            let marks = points.map { LabelPlacement.Box(left: $0.x - 5, top: $0.y - 5, width: 10, height: 10) }
            let places = LabelPlacement.beside(
                points, sizes: points.map { _ in (width: 14, height: 12) }, avoiding: marks, in: frame)
            let labels = places.compactMap { $0 }
            #expect(labels.count == 12, "\(points)")
            for (place, label) in labels.enumerated() {
                #expect(frame.contains(label) && !marks.contains(where: label.meets))
                #expect(!labels[..<place].contains(where: label.meets))
            }
        }
    }

    @Test("a label goes right of a lone point, and is left out where nothing has room for it")
    func lone() {
        let frame = LabelPlacement.Box(left: 0, top: 0, width: 100, height: 50)
        let place = LabelPlacement.beside([(x: 20, y: 20)], sizes: [(width: 30, height: 12)], avoiding: [], in: frame)
        #expect(place == [LabelPlacement.Box(left: 27, top: 14, width: 30, height: 12)])
        let none = LabelPlacement.beside([(x: 20, y: 20)], sizes: [(width: 101, height: 12)], avoiding: [], in: frame)
        #expect(none == [nil])
    }
}
