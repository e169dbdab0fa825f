// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCShortTermRefPicSetTests {
    private typealias RefPicSet = HEVCShortTermRefPicSet

    /// Pictures at -1, -3 (not used), and +2, as in the drawing of ``list()``.
    private static let first = RefPicSet(
        before: [
            .init(deltaPOC: -1, isUsedByCurrentPicture: true), .init(deltaPOC: -3, isUsedByCurrentPicture: false),
        ],
        after: [.init(deltaPOC: 2, isUsedByCurrentPicture: true)])

    private func read(_ drawing: String, _ context: RefPicSet.Context) throws -> RefPicSet {
        var reader = SyntaxReader(bits(drawing))
        var value = RefPicSet()
        try value.code(with: &reader, in: context)
        return value
    }

    private func write(_ value: RefPicSet, _ context: RefPicSet.Context) throws -> OpaqueBits {
        var writer = SyntaxWriter()
        var copy = value
        try copy.code(with: &writer, in: context)
        return writer.written
    }

    private func context(
        _ sets: [RefPicSet] = [], isInSliceHeader: Bool = false
    ) -> RefPicSet.Context {
        .init(sets: sets + (isInSliceHeader ? [] : [RefPicSet()]), index: sets.count)
    }

    @Test("a list is read and written")
    func list() throws {
        //             neg pos  -1   -3     +2
        let drawing = "011 010  1 1  010 0  010 1"
        let set = try read(drawing, context())
        #expect(set == Self.first && set.count == 3 && set.usedCount == 2)
        #expect(try write(set, context()).bytes == bits(drawing))
    }

    @Test("a set is predicted by (7-61) and (7-62), and survives")
    func prediction() throws {
        // The source's picture 4 before now: -1 and -3 become -5 and -7, +2 becomes -2, the picture itself -4.
        //             inter sign abs-1    -1  -3 kept +2 dropped itself
        let drawing = "1     1    00100    1   0 1     0 0        1"
        let set = try read(drawing, context([Self.first]))
        #expect(set.before.map(\.deltaPOC) == [-4, -5, -7] && set.after.isEmpty)
        #expect(set.before.map(\.isUsedByCurrentPicture) == [true, true, false])
        #expect(set.prediction?.deltaRPS == -4 && set.prediction?.uses == [.current, .later, .dropped, .current])
        #expect(try write(set, context([Self.first])).bytes == bits(drawing))
    }

    @Test("a picture at the current one's own count vanishes, others change sides")
    func sides() throws {
        // One step forward: -1 becomes 0 and is left out, -3 becomes -2, +2 becomes +3, the picture itself +1.
        let set = try read("1 0 1  1 1 1 1", context([Self.first]))
        #expect(set.before.map(\.deltaPOC) == [-2] && set.after.map(\.deltaPOC) == [1, 3])
    }

    @Test("in a slice the source is chosen by its distance")
    func sliceHeader() throws {
        let sets = [Self.first, RefPicSet(before: [.init(deltaPOC: -8, isUsedByCurrentPicture: true)])]
        //            inter idx-1 sign abs-1 uses
        let far = try read("1     010   1    1     1 1 1 1", context(sets, isInSliceHeader: true))
        #expect(far.before.map(\.deltaPOC) == [-1, -2, -4] && far.after.map(\.deltaPOC) == [1])
        let near = try read("1     1     1    1     1 1", context(sets, isInSliceHeader: true))
        #expect(near.before.map(\.deltaPOC) == [-1, -9])
        let error = thrown { _ = try read("1 011 1 1 1 1", context(sets, isInSliceHeader: true)) }
        #expect((error as? ParameterSetError)?.reason == "is 2, expected 0...1")
    }

    @Test("sets cannot have more pictures than the largest decoded picture buffer, coded or predicted")
    func growth() throws {
        //                               neg 16
        let list = thrown { _ = try read("000010001", context()) } as? ParameterSetError
        #expect(list?.field == "num_negative_pics" && list?.reason == "is 16, expected 0...15")
        let full = RefPicSet(before: (1...15).map { .init(deltaPOC: -$0, isUsedByCurrentPicture: true) })
        let all = String(repeating: "1", count: 16)
        let error = thrown { _ = try read("1 1 1 " + all, context([full])) } as? ParameterSetError
        #expect(error?.reason == "the predicted set has 16 pictures, expected 0...15")
    }

    @Test("a writer's list has to be what the prediction gives")
    func contradiction() throws {
        var set = try read("1 0 1  1 1 1 1", context([Self.first]))
        set.after[0].deltaPOC = 2
        let error = thrown { _ = try write(set, context([Self.first])) } as? ParameterSetError
        #expect(error?.code == .notRepresentable && error?.field == "delta_poc_s1_minus1")
    }
}
