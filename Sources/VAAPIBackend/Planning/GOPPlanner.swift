// SPDX-License-Identifier: MIT

/// Decides how each picture is predicted and in which order pictures are coded; knows no codec, reference or surface.
///
/// Groups of pictures are closed: an IDR picture comes in display order, and nothing reaches over it. Between two of
/// them, each P picture follows as many B pictures at most as the structure says, of which in a pyramid the middle one
/// is a reference of the others, and no other is.
struct GOPPlanner: Sendable {
    /// What of the structure is fixed.
    struct Structure: Sendable, Hashable {
        /// Most B pictures in a row; 0 for none.
        var consecutiveB = 0
        /// Whether the middle one of two B pictures and more is a reference.
        var hasPyramid = false
        /// Most pictures from IDR to IDR picture, 1 or more; nil for no limit.
        var interval: Int?

        /// Most pictures that precede another in coding and follow it when shown.
        var reorderDepth: Int { consecutiveB == 0 ? 0 : hasPyramid && consecutiveB > 1 ? 2 : 1 }
    }

    /// How a picture is predicted.
    enum Kind: Sendable, Hashable {
        case idr
        case p
        case b
    }

    /// A picture in its place of the coding order.
    struct Picture: Sendable, Hashable {
        /// The number that it came with.
        let id: Int
        let kind: Kind
        /// Pictures from the last IDR picture on, in display order: 0 for that picture itself.
        let displayIndex: Int
        /// Whether it was asked to be an IDR picture.
        var isForced = false
        /// Whether it is the B picture that others of its row are predicted from.
        var isMiddle = false
        /// Whether later pictures are predicted from it.
        var isReference: Bool { kind != .b || isMiddle }
    }

    private var structure: Structure
    /// Pictures that wait for the one that they are predicted from, in display order; no more than `consecutiveB`.
    private var waiting: [(id: Int, displayIndex: Int)] = []
    /// The next picture's distance from the last IDR picture; nil before the first and after ``restart(with:)`` without
    /// pictures.
    private var next: Int?

    init(_ structure: Structure) { self.structure = structure }

    /// Most pictures from IDR to IDR picture; nil for no limit.
    ///
    /// A shorter one holds from the next picture on.
    var interval: Int? {
        get { structure.interval }
        set { structure.interval = newValue }
    }

    /// Takes the next picture in display order.
    ///
    /// - Parameters:
    ///   - id: Comes back with the decision.
    ///   - isForced: Whether it must be an IDR picture.
    /// - Returns: The pictures that can be coded now, in that order; empty while the picture waits.
    mutating func add(_ id: Int, isForced: Bool = false) -> [Picture] {
        let isDue = next.map { index in structure.interval.map { index >= $0 } ?? false } ?? true
        if isForced || isDue {
            let before = flush()
            next = 1
            return before + [Picture(id: id, kind: .idr, displayIndex: 0, isForced: isForced)]
        }
        let index = next ?? 0
        next = index + 1
        if structure.consecutiveB == 0 { return [Picture(id: id, kind: .p, displayIndex: index)] }
        waiting.append((id, index))
        return waiting.count > structure.consecutiveB ? flush() : []
    }

    /// Lets the waiting pictures go: the last becomes the P picture that the others are predicted from.
    ///
    /// - Returns: The pictures, in the order of coding.
    mutating func flush() -> [Picture] {
        guard let last = waiting.popLast() else { return [] }
        defer { waiting = [] }
        var row = waiting.map { Picture(id: $0.id, kind: .b, displayIndex: $0.displayIndex) }
        if structure.hasPyramid, row.count > 1 {
            var middle = row.remove(at: row.count / 2)
            middle.isMiddle = true
            row.insert(middle, at: 0)
        }
        return [Picture(id: last.id, kind: .p, displayIndex: last.displayIndex)] + row
    }

    /// Forgets pictures that wait and are lost.
    ///
    /// - Returns: Their numbers.
    mutating func takeWaiting(where isLost: (Int) -> Bool) -> [Int] {
        defer { waiting.removeAll { isLost($0.id) } }
        return waiting.map(\.id).filter(isLost)
    }

    /// Starts a new group with the first picture that waits, or else with the next one: the encoder lost what they
    /// would be predicted from.
    ///
    /// - Parameter others: Pictures that were decided and not coded, which are decided anew.
    /// - Returns: The pictures that can be coded now, in that order.
    mutating func restart(with others: [Picture] = []) -> [Picture] {
        let held = others.map { (id: $0.id, isForced: $0.isForced) } + waiting.map { (id: $0.id, isForced: false) }
        (waiting, next) = ([], nil)
        return held.sorted { $0.id < $1.id }.flatMap { add($0.id, isForced: $0.isForced) }
    }
}
