// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct GOPPlannerTests {
    /// The pictures as one text in the order of coding, a "|" after each call: "I0" is picture 0 as IDR.
    private func text(_ structure: GOPPlanner.Structure, count: Int, forcing forced: Set<Int> = []) -> String {
        var planner = GOPPlanner(structure)
        let calls = (0..<count).map { planner.add($0, isForced: forced.contains($0)) } + [planner.flush()]
        return calls.map { $0.map { "\($0.isMiddle ? "R" : letter($0.kind))\($0.id)" }.joined(separator: " ") }
            .joined(separator: "|")
    }

    private func letter(_ kind: GOPPlanner.Kind) -> String {
        switch kind {
        case .idr: "I"
        case .p: "P"
        case .b: "B"
        }
    }

    @Test(
        "pictures come out as soon as what they are predicted from has come",
        arguments: [
            (0, nil, [], "I0|P1|P2|P3|P4|P5|"), (0, 3, [], "I0|P1|P2|I3|P4|P5|"), (0, 1, [], "I0|I1|I2|I3|I4|I5|"),
            (0, nil, [2, 3], "I0|P1|I2|I3|P4|P5|"), (1, nil, [], "I0||P2 B1||P4 B3||P5"),
            (2, nil, [], "I0|||P3 B1 B2|||P5 B4"), (2, 3, [], "I0|||P2 B1 I3|||P5 B4"),
            (2, nil, [2], "I0||P1 I2|||P5 B3 B4|"),
        ] as [(Int, Int?, Set<Int>, String)])
    func order(consecutiveB: Int, interval: Int?, forced: Set<Int>, expected: String) {
        let structure = GOPPlanner.Structure(consecutiveB: consecutiveB, interval: interval)
        #expect(text(structure, count: 6, forcing: forced) == expected)
    }

    @Test(
        "in a pyramid the middle B picture is coded before the others and is a reference",
        arguments: [
            (1, "I0||P2 B1||P4 B3||P6 B5|"), (2, "I0|||P3 R2 B1|||P6 R5 B4|"), (3, "I0||||P4 R2 B1 B3|||P6 B5"),
            (4, "I0|||||P5 R3 B1 B2 B4||P6"),
        ])
    func pyramid(consecutiveB: Int, expected: String) {
        let structure = GOPPlanner.Structure(consecutiveB: consecutiveB, hasPyramid: true)
        #expect(text(structure, count: 7) == expected)
        #expect(structure.reorderDepth == (consecutiveB > 1 ? 2 : 1))
    }

    @Test("after a restart nothing is predicted from what was before it, with pictures that wait or without")
    func restart() {
        var planner = GOPPlanner(GOPPlanner.Structure(consecutiveB: 2))
        _ = planner.add(0)
        #expect(planner.restart() == [])
        #expect(planner.add(1).map(\.kind) == [.idr])
        for id in 2...3 { #expect(planner.add(id) == []) }
        #expect(planner.restart() == [GOPPlanner.Picture(id: 2, kind: .idr, displayIndex: 0)])
        #expect(planner.flush() == [GOPPlanner.Picture(id: 3, kind: .p, displayIndex: 1)])
    }

    @Test("a picture that must be an IDR picture still is one when it is decided anew")
    func restartForced() {
        var planner = GOPPlanner(GOPPlanner.Structure(consecutiveB: 2))
        for id in 0...2 { _ = planner.add(id) }
        let decided = planner.add(3, isForced: true)
        #expect(decided.map(\.id) == [2, 1, 3])
        // The driver refuses the first of them.
        #expect(planner.restart(with: Array(decided[1...])).map { "\(letter($0.kind))\($0.id)" } == ["I1", "I3"])
    }

    @Test("whatever is forced, flushed and restarted, a decoder could follow", arguments: 0..<40 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let structure = GOPPlanner.Structure(
            consecutiveB: Int.random(in: 0...4, using: &random),
            hasPyramid: Bool.random(using: &random),
            interval: Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil)
        var (planner, model) = (GOPPlanner(structure), CodingOrderModel())
        for id in 0..<200 {
            let isForced = Int.random(in: 0..<15, using: &random) == 0
            model.take(planner.add(id, isForced: isForced))
            if isForced { #expect(model.lastIDR == id, "seed \(seed)") }
            #expect(id + 1 - model.shown.count <= structure.consecutiveB, "seed \(seed)")
            if Int.random(in: 0..<20, using: &random) == 0 { model.take(planner.flush()) }
            if Int.random(in: 0..<30, using: &random) == 0 { model.take(planner.restart()) }
        }
        model.take(planner.flush())
        #expect(model.faults == [], "seed \(seed)")
        #expect(model.shown == Set(0..<200), "seed \(seed)")
        #expect(model.longestGroup <= structure.interval ?? 200, "seed \(seed)")
        #expect(model.longestB <= structure.consecutiveB, "seed \(seed)")
    }
}

/// What a decoder would say of a coding order: kept apart from how the planner gets there.
private struct CodingOrderModel {
    private(set) var shown: Set<Int> = []
    private(set) var faults: [String] = []
    private(set) var lastIDR: Int?
    private(set) var longestGroup = 0
    private(set) var longestB = 0
    private var references: [Int] = []
    private var runOfB = 0

    mutating func take(_ pictures: [GOPPlanner.Picture]) {
        for picture in pictures { take(picture) }
    }

    private mutating func take(_ picture: GOPPlanner.Picture) {
        if !shown.insert(picture.id).inserted { faults.append("\(picture.id) came twice") }
        runOfB = picture.kind == .b ? runOfB + 1 : 0
        longestB = max(longestB, runOfB)
        switch picture.kind {
        case .idr:
            // All that is shown before the IDR picture was coded before it.
            if shown.count != picture.id + 1 { faults.append("\(picture.id) overtook a picture") }
            (lastIDR, references) = (picture.id, [])
        case .p:
            if references.contains(where: { $0 > picture.id }) {
                faults.append("\(picture.id) follows what it precedes")
            }
        case .b:
            let isBetween = references.contains { $0 < picture.id } && references.contains { $0 > picture.id }
            if !isBetween { faults.append("\(picture.id) has no references on both sides") }
        }
        guard let lastIDR else { return faults.append("\(picture.id) comes before an IDR picture") }
        if picture.displayIndex != picture.id - lastIDR {
            faults.append("\(picture.id) counts \(picture.displayIndex)")
        }
        longestGroup = max(longestGroup, picture.displayIndex + 1)
        if picture.isReference { references.append(picture.id) }
    }
}
