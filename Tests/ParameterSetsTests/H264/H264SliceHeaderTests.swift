// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct H264SliceHeaderTests {
    /// SPS and PPS of ``H264Vectors/high``.
    private let parameterSets: H264ParameterSets

    init() throws {
        let sps = try H264SPS(nalUnit: H264Vectors.high)
        parameterSets = H264ParameterSets(sps: sps, pps: try H264PPS(nalUnit: H264Vectors.highPPS, sps: sps))
    }

    @Test("an IDR slice is read field by field")
    func idrSlice() throws {
        //              nal      mb kind    pps num  idr lsb    prior long qp      dbf a b
        let unit = bits("01100101 1 0001000 1   0000 1   000000 0     0    0001101 1   1 1")
        let header = try H264SliceHeader(nalUnit: unit, in: parameterSets)
        #expect(header.firstMbInSlice == 0 && header.sliceType == 7 && header.kind == .i && header.ppsID == 0)
        #expect(header.frameNum == 0 && header.idrPicID == 0 && header.picOrderCntLsb == 0)
        #expect(header.decRefPicMarking == H264DecRefPicMarking())
        #expect(header.qpDelta == -6 && header.disableDeblockingFilterIdc == 0)
        #expect(!header.numRefIdxActiveOverrideFlag && header.refPicListModificationL0 == nil)
    }

    @Test("a P slice with weights and a changed list is read field by field")
    func weightedSlice() throws {
        let start = "01000001 1 00110 1   0001 000100 1   1  1    011 00101 00100 "
        //           nal      mb kind pps num  lsb    ovr l0 list  idc long  idc=3
        let weights = "1 1  1 010 010 0  1 "
        //            denom Y w   o  chr marking
        let marking = "010 00101 011 011 1 "
        //             1   4     2   2   0
        let unit = bits(start + weights + marking + " 1 000010011 1 1 1")
        let header = try H264SliceHeader(nalUnit: unit, in: parameterSets)
        #expect(header.kind == .p && header.frameNum == 1 && header.picOrderCntLsb == 4)
        #expect(header.numRefIdxActiveOverrideFlag && header.numRefIdxL0ActiveMinus1 == 0)
        #expect(header.refPicListModificationL0 == [.init(modificationOfPicNumsIdc: 2, value: 4)])
        let entry = try #require(header.predWeightTable?.l0.first)
        #expect(entry.luma == .init(1, offset: 1) && entry.chroma == nil)
        let operations = try #require(header.decRefPicMarking?.operations)
        #expect(operations.map(\.memoryManagementControlOperation) == [1, 2])
        #expect(operations[0].differenceOfPicNumsMinus1 == 4 && operations[1].longTermPicNum == 2)
    }

    @Test("a slice is read with the sets that came last, in whatever order they came")
    func setsOfSlices() throws {
        let unit = bits("01100101 1 0001000 1   0000 1   000000 0     0    0001101 1   1 1")
        let sps = try H264SPS(nalUnit: H264Vectors.high)
        let pps = try H264PPS(nalUnit: H264Vectors.highPPS, sps: sps)
        var sets = H264ParameterSets()
        func why() -> String? { refusal(of: unit, in: sets) }
        #expect(why()?.contains("refers to PPS 0, but no such set came before") == true)
        sets.insert(pps)
        #expect(why()?.contains("refers to SPS 0 by PPS 0, but no such set came before") == true)
        sets.insert(sps)
        #expect(why() == nil)
        // With frame_num of two bits more, the fields behind it are others.
        var longer = sps
        longer.log2MaxFrameNumMinus4 += 2
        sets.insert(longer)
        #expect((try? H264SliceHeader(nalUnit: unit, in: sets).idrPicID) != 0)
        var elsewhere = pps
        elsewhere.spsID = 3
        sets.insert(elsewhere)
        #expect(why()?.contains("refers to SPS 3 by PPS 0") == true)
        var third = sps
        third.id = 3
        sets.insert(third)
        #expect(try H264SliceHeader(nalUnit: unit, in: sets) == H264SliceHeader(nalUnit: unit, in: parameterSets))
    }

    /// Why a unit is not read; nil for one that is.
    private func refusal(of unit: [UInt8], in sets: H264ParameterSets) -> String? {
        do {
            _ = try H264SliceHeader(nalUnit: unit, in: sets)
            return nil
        } catch {
            return error.reason
        }
    }

    /// A slice that has whatever its parameter sets let it have.
    private func slice(seed: UInt64) -> (H264SliceHeader, H264NALUnitHeader, H264ParameterSets) {
        var random = TestRandom(seed: seed)
        func flag() -> Bool { Bool.random(using: &random) }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var sps = H264SPS()
        sps.profileIdc = 244
        sps.format.chromaFormatIdc = number(0...3)
        sps.format.separateColorPlaneFlag = sps.format.chromaFormatIdc == 3 && flag()
        sps.frameMbsOnlyFlag = flag()
        sps.log2MaxFrameNumMinus4 = number(0...12)
        sps.picOrderCnt.type = number(0...2)
        sps.picOrderCnt.deltaPicOrderAlwaysZeroFlag = flag()
        sps.picWidthInMbsMinus1 = 20
        var pps = H264PPS()
        pps.entropyCodingModeFlag = flag()
        pps.bottomFieldPicOrderInFramePresentFlag = flag()
        pps.weightedPredFlag = flag()
        pps.weightedBipredIdc = number(0...2)
        pps.deblockingFilterControlPresentFlag = flag()
        pps.redundantPicCntPresentFlag = flag()
        pps.numRefIdxL0DefaultActiveMinus1 = number(0...3)
        if flag() {
            pps.sliceGroups = H264SliceGroups()
            pps.sliceGroups?.map = .changing(type: 4, directionFlag: flag(), rateMinus1: number(0...9))
        }
        let unit = H264NALUnitHeader(type: flag() ? .idrSlice : .slice, refIdc: number(0...1))
        var header = H264SliceHeader()
        header.sliceType = number(0...9)
        header.firstMbInSlice = number(0...20)
        header.colorPlaneID = sps.format.separateColorPlaneFlag ? number(0...2) : 0
        header.fieldPicFlag = !sps.frameMbsOnlyFlag && flag()
        header.bottomFieldFlag = header.fieldPicFlag && flag()
        header.idrPicID = unit.isIDR ? number(0...65535) : 0
        header.redundantPicCnt = pps.redundantPicCntPresentFlag ? number(0...127) : 0
        let tellsBottom = pps.bottomFieldPicOrderInFramePresentFlag && !header.fieldPicFlag
        if sps.picOrderCnt.type == 0 {
            header.picOrderCntLsb = number(0...15)
            header.deltaPicOrderCntBottom = tellsBottom ? number(-9...9) : 0
        } else if sps.picOrderCnt.type == 1, !sps.picOrderCnt.deltaPicOrderAlwaysZeroFlag {
            header.deltaPicOrderCnt = [number(-9...9), tellsBottom ? number(-9...9) : 0]
        }
        let (isB, isInter) = (header.kind == .b, header.kind.isInter)
        header.numRefIdxActiveOverrideFlag = isInter && flag()
        let overrides = header.numRefIdxActiveOverrideFlag
        header.numRefIdxL0ActiveMinus1 = overrides ? 5 : isInter ? pps.numRefIdxL0DefaultActiveMinus1 : 0
        header.numRefIdxL1ActiveMinus1 = overrides && isB ? 31 : 0
        header.refPicListModificationL0 = isInter && flag() ? [.init(modificationOfPicNumsIdc: 1, value: 8)] : nil
        header.refPicListModificationL1 = isB ? [] : nil
        if isB ? pps.weightedBipredIdc == 1 : isInter && pps.weightedPredFlag {
            var table = H264PredWeightTable()
            var entry = H264PredWeightTable.Entry()
            entry.luma = flag() ? .init(-128, offset: 127) : nil
            entry.chroma = sps.chromaArrayType > 0 ? .init(cb: .init(1, offset: 2), cr: .init(3, offset: 4)) : nil
            table.l0 = Array(repeating: entry, count: header.numRefIdxL0ActiveMinus1 + 1)
            table.l1 = isB ? Array(repeating: entry, count: header.numRefIdxL1ActiveMinus1 + 1) : []
            header.predWeightTable = table
        }
        if unit.refIdc != 0 {
            var marking = H264DecRefPicMarking()
            marking.longTermReferenceFlag = unit.isIDR && flag()
            var keep = H264DecRefPicMarking.Operation()
            keep.memoryManagementControlOperation = 3
            keep.longTermFrameIdx = 15
            marking.operations = unit.isIDR ? nil : [keep]
            header.decRefPicMarking = marking
        }
        header.qpDelta = number(-26...25)
        header.qsDelta = header.kind == .sp || header.kind == .si ? 25 : 0
        header.disableDeblockingFilterIdc = pps.deblockingFilterControlPresentFlag ? 2 : 0
        header.betaOffsetDiv2 = pps.deblockingFilterControlPresentFlag ? -6 : 0
        header.sliceGroupChangeCycle = pps.sliceGroups == nil ? 0 : 2
        return (header, unit, H264ParameterSets(sps: sps, pps: pps))
    }

    @Test("any slice header survives, in its unit too", arguments: 1...UInt64(200))
    func roundTrip(seed: UInt64) throws {
        let (header, unitHeader, parameterSets) = slice(seed: seed)
        var slice = H264NALUnit.Slice()
        slice.header = header
        // What follows the header has no byte boundary of its own, but ends at one.
        var start = H264NALUnit(header: unitHeader, payload: .slice(slice))
        var (writer, data, stop) = (SyntaxWriter(), SyntaxWriter(), 0xA580)
        try start.code(with: &writer, in: parameterSets)
        try data.u("slice_data", &stop, 24 - writer.bitPosition % 8)
        slice.data = data.written
        let unit = H264NALUnit(header: unitHeader, payload: .slice(slice))
        let bytes = try unit.nalUnit(in: parameterSets)
        #expect(try H264SliceHeader(nalUnit: bytes, in: parameterSets) == header)
        #expect(try H264NALUnit(nalUnit: bytes, in: parameterSets) == unit)
        for count in 1..<min(bytes.count, 6) {
            let cut = Array(bytes.prefix(count))
            // What is cut is refused; what is cut behind the header reads as it is.
            let read = try? H264SliceHeader(nalUnit: cut, in: parameterSets)
            #expect(read == nil || read == header)
        }
    }

    @Test("a slice without its parameter sets is refused by name")
    func missingParameterSets() throws {
        let unit = bits("01100101 1 0001000 010 0000 1 000000 0 0 0001101 1 1 1")
        let noPPS = thrown { _ = try H264SliceHeader(nalUnit: unit, in: parameterSets) }
        #expect((noPPS as? ParameterSetError)?.code == .missingParameterSet)
        #expect((noPPS as? ParameterSetError)?.reason == "refers to PPS 1, but no such set came before")
        var pps = H264PPS()
        pps.id = 1
        pps.spsID = 9
        var sets = parameterSets
        sets.insert(pps)
        let noSPS = thrown { _ = try H264SliceHeader(nalUnit: unit, in: sets) } as? ParameterSetError
        #expect(noSPS?.reason == "refers to SPS 9 by PPS 1, but no such set came before")
        #expect(noSPS?.field == "pic_parameter_set_id" && noSPS?.bitOffset == 16)
    }

    @Test("list changes without end are refused after 32")
    func endlessModification() {
        let changes = String(repeating: "1 1 ", count: 200)
        let unit = bits("01000001 1 00110 1 0001 000100 0 1 " + changes)
        let error = thrown { _ = try H264SliceHeader(nalUnit: unit, in: parameterSets) } as? ParameterSetError
        #expect(error?.code == .outOfRange && error?.field == "modification_of_pic_nums_idc")
        #expect(error?.reason.hasPrefix("does not end after ") == true, "\(error?.reason ?? "")")
    }
}
