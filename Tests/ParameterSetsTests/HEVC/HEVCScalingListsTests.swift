// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCScalingListsTests {
    private func written(_ lists: HEVCScalingLists) throws -> OpaqueBits {
        var writer = SyntaxWriter()
        var copy = lists
        try copy.code(with: &writer, in: ())
        return writer.written
    }

    private func read(_ bytes: [UInt8]) throws -> HEVCScalingLists {
        var reader = SyntaxReader(bytes)
        var lists = HEVCScalingLists()
        try lists.code(with: &reader, in: ())
        return lists
    }

    @Test("the default lists take two bits each")
    func defaults() throws {
        let bits = try written(HEVCScalingLists())
        #expect(bits.count == 40 && bits.bytes == [0x55, 0x55, 0x55, 0x55, 0x55])
        #expect(try read(bits.bytes) == HEVCScalingLists())
    }

    @Test("coefficients of every size survive, differences wrap around 256")
    func coefficients() throws {
        var lists = HEVCScalingLists()
        for sizeID in 0..<4 {
            var list = HEVCScalingLists.Coefficients()
            list.dc = sizeID > 1 ? 255 : 16
            list.values = (0..<(sizeID == 0 ? 16 : 64)).map { $0 % 2 == 0 ? 1 : 255 }
            lists.lists[sizeID][1] = .coded(list)
        }
        lists.lists[2][5] = .copied(delta: 5)
        lists.lists[3][0] = .copied(delta: 0)
        let bits = try written(lists)
        #expect(try read(bits.bytes) == lists)
        // 8 to 1 is -7, 1 to 255 is -2, 255 to 1 is +2.
        var tracer = SyntaxTracer(bits.bytes)
        var traced = HEVCScalingLists()
        try traced.code(with: &tracer, in: ())
        let deltas = tracer.elements.filter { $0.name.field == "scaling_list_delta_coef" }.prefix(4)
        #expect(deltas.map(\.number) == [-7, -2, 2, -2])
        #expect(deltas.map(\.name.description).last == "scaling_list_delta_coef[0][1][3]")
        let dc = tracer.elements.first { $0.name.field == "scaling_list_dc_coef_minus8" }
        #expect(dc?.number == 247 && dc?.name.description == "scaling_list_dc_coef_minus8[0][1]")
    }

    @Test("a list can only be copied from one before it")
    func copies() throws {
        var lists = HEVCScalingLists()
        lists.lists[3][1] = .copied(delta: 2)
        let error = thrown { _ = try written(lists) } as? ParameterSetError
        #expect(error?.field == "scaling_list_pred_matrix_id_delta[3][3]" && error?.reason == "is 2, expected 0...1")
    }

    @Test("a missing list is refused")
    func missing() {
        var lists = HEVCScalingLists()
        lists.lists[0].removeLast()
        #expect(throws: ParameterSetError.self) { try written(lists) }
    }
}
