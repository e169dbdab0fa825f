// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct H264PPSTests {
    @Test("drawn bits are read field by field")
    func fields() throws {
        //              nal      id  sps ent bot  groups type dir rate  l0  l1  wp bi qp  qs    chroma dbf cip red
        let drawing = "01101000 011 1   1   0    010    00110 1  00110 010 1   1  10 011 00101 1      1   0   1 "
        //                    t8 mat second stop
        let extended = bits(drawing + "1  0   00101  1")
        let pps = try H264PPS(nalUnit: extended)
        #expect(pps.id == 2 && pps.spsID == 0 && pps.entropyCodingModeFlag)
        #expect(!pps.bottomFieldPicOrderInFramePresentFlag)
        #expect(pps.sliceGroups?.numSliceGroupsMinus1 == 1)
        #expect(pps.sliceGroups?.map == .changing(type: 5, directionFlag: true, rateMinus1: 5))
        #expect(pps.numRefIdxL0DefaultActiveMinus1 == 1 && pps.numRefIdxL1DefaultActiveMinus1 == 0)
        #expect(pps.weightedPredFlag && pps.weightedBipredIdc == 2)
        #expect(pps.picInitQpMinus26 == -1 && pps.picInitQsMinus26 == -2 && pps.chromaQpIndexOffset == 0)
        #expect(pps.deblockingFilterControlPresentFlag && !pps.constrainedIntraPredFlag)
        #expect(pps.redundantPicCntPresentFlag)
        #expect(pps.high?.transform8x8ModeFlag == true && pps.high?.secondChromaQpIndexOffset == -2)
        #expect(try H264PPS(nalUnit: bits(drawing + "1")).high == nil)
        #expect(try pps.nalUnit(in: .init()) == extended)
    }

    @Test(
        "every slice group map survives",
        arguments: [
            (3, .interleaved(runLengthMinus1: [0, 1, 2, 139_263])),
            (7, .dispersed),
            (1, .foreground([.init()])),
            (2, .changing(type: 3, directionFlag: false, rateMinus1: 9)),
            (2, .changing(type: 4, directionFlag: true, rateMinus1: 0)),
            (1, .explicit([0, 1, 1])), (3, .explicit([3, 0, 2])), (6, .explicit([6, 5, 4, 3, 2, 1, 0])),
        ] as [(Int, H264SliceGroups.Map)])
    func sliceGroups(groups: Int, map: H264SliceGroups.Map) throws {
        var pps = H264PPS()
        pps.sliceGroups = H264SliceGroups()
        pps.sliceGroups?.numSliceGroupsMinus1 = groups
        pps.sliceGroups?.map = map
        let unit = try pps.nalUnit(in: .init())
        #expect(try H264PPS(nalUnit: unit) == pps)
        try expectMutationsHold(H264PPS.self, nalUnit: unit, in: .init())
    }

    @Test("a map larger than the data is refused before it is allocated")
    func hugeMap() throws {
        var pps = H264PPS()
        pps.sliceGroups = H264SliceGroups()
        pps.sliceGroups?.map = .explicit(Array(repeating: 1, count: 139_264))
        let unit = try pps.nalUnit(in: .init())
        let error = thrown { _ = try H264PPS(nalUnit: Array(unit.prefix(40))) } as? ParameterSetError
        #expect(error?.code == .endOfData && error?.field == "slice_group_id")
    }

    @Test("the chroma format of the SPS decides how many lists there are", arguments: [(1, 8), (2, 8), (3, 12)])
    func scalingLists(chromaFormatIdc: Int, count: Int) throws {
        var sps = H264SPS()
        sps.profileIdc = 244
        sps.format.chromaFormatIdc = chromaFormatIdc
        var pps = H264PPS()
        var high = H264PPS.HighExtension()
        high.transform8x8ModeFlag = true
        high.scalingMatrix = H264ScalingMatrix()
        high.scalingMatrix?.lists = Array(repeating: nil, count: count)
        high.scalingMatrix?.lists[count - 1] = H264ScalingList(weights: Array(repeating: 9, count: 64))
        pps.high = high
        let unit = try pps.nalUnit(in: sets(sps))
        #expect(try H264PPS(nalUnit: unit, sps: sps) == pps)
        high.scalingMatrix?.lists.removeLast()
        pps.high = high
        #expect(throws: ParameterSetError.self) { try pps.nalUnit(in: sets(sps)) }
        // Without the SPS the number cannot be told, and would be misread in one of the formats.
        let unknown = thrown { _ = try H264PPS(nalUnit: unit) } as? ParameterSetError
        #expect(unknown?.code == .missingParameterSet && unknown?.field == "pic_scaling_list_present_flag")
        high.transform8x8ModeFlag = false
        high.scalingMatrix?.lists = Array(repeating: nil, count: 6)
        pps.high = high
        #expect(try H264PPS(nalUnit: pps.nalUnit(in: .init())) == pps)
    }

    @Test("weights survive as differences, however they end", arguments: 1...UInt64(50))
    func weights(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let size = seed % 2 == 0 ? 16 : 64
        let changing = Int.random(in: 0...size, using: &random)
        var weights = (0..<changing).map { _ in Int.random(in: 1...255, using: &random) }
        weights += Array(repeating: weights.last ?? 16, count: size - changing)
        var list = H264ScalingList(weights: weights)
        #expect(list.weights(size: size) == weights)
        var writer = SyntaxWriter()
        try list.code(with: &writer, in: size)
        var copy = H264ScalingList()
        var reader = SyntaxReader(writer.bytes)
        try copy.code(with: &reader, in: size)
        #expect(copy == list)
        #expect(reader.bitPosition == writer.bitPosition)
    }

    @Test("the default list is one difference")
    func defaultList() {
        #expect(H264ScalingList.default.usesDefault)
        #expect(H264ScalingList.default.weights(size: 16).isEmpty)
        #expect(!H264ScalingList(weights: Array(repeating: 16, count: 16)).usesDefault)
    }
}
