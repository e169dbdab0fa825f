// SPDX-License-Identifier: MIT

/// Keeps account of reference pictures, and of the surfaces that pictures are reconstructed on.
///
/// Reference pictures slide: each one coded takes the place of the one coded first (H.264 8.2.5.3). An IDR picture ends
/// all.
struct ReferenceTracker: Sendable {
    /// What the stream and the driver allow.
    struct Limits: Sendable, Hashable {
        /// Most entries of list 0, 1 or more.
        var list0 = 1
        /// Most entries of list 1.
        var list1 = 0
        /// Reference pictures that the decoder keeps.
        var kept = 1
        /// Whether a P picture has its list 0 as list 1 too.
        var mirrorsList0 = false
    }

    /// What is kept and how lists are made.
    let limits: Limits
    private var kept: [PicturePlan.Reference] = []
    private var referenceIndex = 0
    /// IDR pictures so far.
    private(set) var idrCount: Int
    /// By surface: pictures being coded that read or write it.
    private var uses: [Int]

    /// Makes a tracker without pictures.
    ///
    /// - Parameters:
    ///   - limits: What the stream and the driver allow.
    ///   - mostCoding: Pictures that may be being coded at once.
    ///   - idrCount: IDR pictures of the stream before.
    init(_ limits: Limits, mostCoding: Int, idrCount: Int = 0) {
        self.limits = limits
        self.idrCount = idrCount
        // Each picture being coded may be the last to use a surface that is no longer kept.
        uses = [Int](repeating: 0, count: Self.slotCount(limits, mostCoding: mostCoding))
    }

    /// Surfaces that so many pictures being coded at once take.
    private static func slotCount(_ limits: Limits, mostCoding: Int) -> Int { limits.kept + mostCoding + 1 }

    /// Surfaces that plans are about.
    var slotCount: Int { uses.count }

    /// A tracker for the same stream without pictures, whose next one is an IDR picture.
    var restarted: ReferenceTracker {
        var copy = self
        (copy.kept, copy.uses) = ([], [Int](repeating: 0, count: uses.count))
        return copy
    }

    /// Plans the next picture in coding order.
    ///
    /// - Parameter picture: Not the first unless an IDR picture.
    /// - Returns: The plan, whose surfaces are in use until ``finish(_:)``; nil when all surfaces are.
    mutating func plan(_ picture: GOPPlanner.Picture) -> PicturePlan? {
        if picture.kind == .idr { (kept, referenceIndex) = ([], 0) }
        guard let slot = uses.indices.first(where: { slot in uses[slot] == 0 && !kept.contains { $0.slot == slot } })
        else { return nil }
        let (list0, list1) = lists(for: picture)
        let plan = PicturePlan(
            picture: picture, slot: slot, referenceIndex: referenceIndex, idrIndex: idrCount, kept: kept, list0: list0,
            list1: list1)
        count(plan, 1)
        if picture.kind == .idr { idrCount += 1 }
        if picture.isReference {
            kept.insert(
                .init(slot: slot, displayIndex: picture.displayIndex, referenceIndex: referenceIndex), at: 0)
            if kept.count > limits.kept { kept.removeLast() }
            referenceIndex += 1
        }
        return plan
    }

    /// Lets go of the surfaces of a picture that is coded, or never will be.
    mutating func finish(_ plan: PicturePlan) {
        count(plan, -1)
    }

    /// Whether a kept picture is shown before one that was coded before it.
    private var isPyramid: Bool {
        zip(kept, kept.dropFirst()).contains { later, earlier in later.displayIndex < earlier.displayIndex }
    }

    private mutating func count(_ plan: PicturePlan, _ change: Int) {
        uses[plan.slot] += change
        for reference in plan.kept { uses[reference.slot] += change }
    }

    private func lists(
        for picture: GOPPlanner.Picture
    ) -> (list0: [PicturePlan.Reference], list1: [PicturePlan.Reference]) {
        // Without a pyramid, reference pictures are coded in the order that they are shown in.
        let nearest = isPyramid ? kept.sorted { $0.displayIndex > $1.displayIndex } : kept
        switch picture.kind {
        case .idr: return ([], [])
        case .p where limits.mirrorsList0:
            let list = nearest.first(min(limits.list0, limits.list1))
            return (list, list)
        case .p: return (nearest.first(limits.list0), [])
        case .b:
            let earlier = nearest.filter { $0.displayIndex < picture.displayIndex }
            let later = nearest.filter { $0.displayIndex > picture.displayIndex }.reversed()
            return (earlier.first(limits.list0), Array(later.prefix(limits.list1)))
        }
    }
}

extension [PicturePlan.Reference] {
    /// The first so many; the array itself, and no other, where it has no more.
    fileprivate func first(_ count: Int) -> [PicturePlan.Reference] {
        self.count <= count ? self : Array(prefix(count))
    }
}
