// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct ReferenceTrackerTests {
    @Test(
        "no plan names a surface that shows another picture, or writes one that is in use",
        arguments: 0..<60 as Range<UInt64>)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let consecutiveB = Int.random(in: 0...3, using: &random)
        let list0 = Int.random(in: 1...3, using: &random)
        let mirrors = Bool.random(using: &random)
        let structure = GOPPlanner.Structure(
            consecutiveB: consecutiveB, hasPyramid: Bool.random(using: &random),
            interval: Bool.random(using: &random) ? 9 : nil)
        let limits = ReferenceTracker.Limits(
            list0: list0, list1: Int.random(in: consecutiveB > 0 || mirrors ? 1...2 : 0...2, using: &random),
            kept: list0 + structure.reorderDepth, mirrorsList0: mirrors)
        let mostCoding = Int.random(in: 1...6, using: &random)
        var planner = GOPPlanner(structure)
        var tracker = ReferenceTracker(limits, mostCoding: mostCoding)
        var model = SurfaceModel()
        for id in 0..<150 {
            for picture in planner.add(id, isForced: Int.random(in: 0..<20, using: &random) == 0) {
                while model.coding.count == mostCoding { tracker.finish(model.finishFirst()) }
                let plan = tracker.plan(picture)
                model.take(try #require(plan, "seed \(seed)"), limits)
            }
            if !model.coding.isEmpty, Bool.random(using: &random) { tracker.finish(model.finishFirst()) }
        }
        #expect(model.faults == [], "seed \(seed)")
    }

    @Test("lists are the nearest pictures on their side")
    func lists() {
        var tracker = ReferenceTracker(.init(list0: 2, list1: 1, kept: 3), mostCoding: 4)
        let pictures: [GOPPlanner.Picture] = [
            .init(id: 0, kind: .idr, displayIndex: 0), .init(id: 1, kind: .p, displayIndex: 1),
            .init(id: 4, kind: .p, displayIndex: 4), .init(id: 2, kind: .b, displayIndex: 2),
        ]
        let plans = pictures.compactMap { tracker.plan($0) }
        #expect(plans.map { $0.list0.map(\.displayIndex) } == [[], [0], [1, 0], [1, 0]])
        #expect(plans.map { $0.list1.map(\.displayIndex) } == [[], [], [], [4]])
        #expect(plans.map(\.referenceIndex) == [0, 1, 2, 3])
    }

    @Test("without P pictures, list 1 is list 0")
    func mirrored() {
        var tracker = ReferenceTracker(.init(list0: 3, list1: 2, kept: 3, mirrorsList0: true), mostCoding: 8)
        for index in 0..<4 {
            let plan = tracker.plan(.init(id: index, kind: index == 0 ? .idr : .p, displayIndex: index))
            #expect(plan?.list0 == plan?.list1)
            #expect(plan?.list0.count == min(index, 2))
        }
    }
}

/// What surfaces show, kept apart from the tracker.
private struct SurfaceModel {
    private(set) var coding: [PicturePlan] = []
    private(set) var faults: [String] = []
    /// By surface, the picture that was coded on it.
    private var shown: [Int: Int] = [:]
    /// Reference pictures that a decoder keeps, last coded first.
    private var kept: [(id: Int, isIDR: Bool)] = []

    mutating func finishFirst() -> PicturePlan { coding.removeFirst() }

    mutating func take(_ plan: PicturePlan, _ limits: ReferenceTracker.Limits) {
        let firstID = plan.id - plan.displayIndex
        if plan.kind == .idr { kept = [] }
        if plan.kept.map({ firstID + $0.displayIndex }) != kept.map(\.id) {
            faults.append("\(plan.id) keeps \(plan.kept), a decoder \(kept)")
        }
        for reference in plan.kept where shown[reference.slot] != firstID + reference.displayIndex {
            faults.append("\(plan.id) refers to \(reference), whose surface shows \(shown[reference.slot] ?? -1)")
        }
        let earlier = plan.list0.map(\.displayIndex)
        if earlier != earlier.sorted(by: >) || earlier.contains(where: { $0 >= plan.displayIndex }) {
            faults.append("\(plan.id) lists \(earlier), not the nearest before it first")
        }
        for list in [plan.list0, plan.list1] where !Set(list).isSubset(of: plan.kept) {
            faults.append("\(plan.id) lists what is not kept")
        }
        if plan.kind != .idr, plan.list0.isEmpty { faults.append("\(plan.id) has no reference") }
        if plan.kind == .b, plan.list1.isEmpty { faults.append("\(plan.id) has no later reference") }
        if plan.kept.contains(where: { $0.slot == plan.slot }) { faults.append("\(plan.id) overwrites a reference") }
        if coding.contains(where: { $0.slot == plan.slot || $0.kept.contains { $0.slot == plan.slot } }) {
            faults.append("\(plan.id) overwrites one in use")
        }
        shown[plan.slot] = plan.id
        coding.append(plan)
        guard plan.isReference else { return }
        kept.insert((plan.id, plan.kind == .idr), at: 0)
        if kept.count > limits.kept { kept.removeLast() }
    }
}
