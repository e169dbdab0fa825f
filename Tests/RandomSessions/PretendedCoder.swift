// SPDX-License-Identifier: MIT

/// Which pictures the pretended encoder gives out when: pure, so that the model of a session can ask it too.
package struct PretendedCoder {
    package struct Picture: Hashable {
        package let token: Int
        package let fate: Operation.Fate
        package let isForced: Bool
        package var isKey: Bool
    }

    private let delay: Int
    private let reorders: Bool
    private var held: [Picture] = []
    /// Whether no picture was taken yet.
    package private(set) var isFirst = true
    /// Whether the picture held longest was overtaken, so that it is coded as a B picture and comes next.
    private var isOvertaken = false

    package init(_ pretence: Pretence) {
        reorders = pretence.reorders
        delay = pretence.delay + (reorders ? 1 : 0)
    }

    /// Pictures inside, longest first.
    package var tokens: [Int] { held.map(\.token) }

    /// Takes a picture; what comes out, in decode order.
    package mutating func take(_ token: Int, _ fate: Operation.Fate, force: Bool) -> [(picture: Picture, isB: Bool)] {
        // No encoder leaves out the picture that all others start from.
        let fate = isFirst && fate == .skipped ? .coded : fate
        held.append(Picture(token: token, fate: fate, isForced: force, isKey: isFirst || force))
        isFirst = false
        var output: [(Picture, Bool)] = []
        while held.count > delay { output.append(next()) }
        return output
    }

    /// Everything that is inside, in decode order.
    package mutating func drain() -> [(picture: Picture, isB: Bool)] {
        var output: [(Picture, Bool)] = []
        while !held.isEmpty { output.append(next()) }
        return output
    }

    private mutating func next() -> (Picture, Bool) {
        let overtakes =
            reorders && !isOvertaken && held.count > 1 && held[0].token % 3 != 0 && !held[0].isKey && !held[1].isKey
        let isB = isOvertaken
        isOvertaken = overtakes
        return (held.remove(at: overtakes ? 1 : 0), isB)
    }
}
