// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCNALUnitTests {
    private func sets() throws -> HEVCParameterSets {
        var sets = HEVCParameterSets()
        for unit in [HEVCVectors.main.vps, HEVCVectors.main.sps, HEVCVectors.main.pps] {
            #expect(HEVCNALUnit.trace(unit, updating: &sets).error == nil)
        }
        return sets
    }

    @Test("small units are read and written back")
    func smallUnits() throws {
        //                                    type   layer  tid pic  stop
        let delimiter = try HEVCNALUnit(nalUnit: bits("0 100011 000000 001 001 1 0000"), in: .init())
        #expect(delimiter.payload == .accessUnitDelimiter(.init(picType: 1)))
        #expect(try delimiter.nalUnit(in: .init()) == hex("4601 30"))
        #expect(try HEVCAccessUnitDelimiter(nalUnit: hex("4601 30")).picType == 1)
        let filler = try HEVCNALUnit(nalUnit: hex("4c01 ffffff80"), in: .init())
        #expect(filler.payload == .filler(FillerData(count: 3)))
        #expect(try filler.nalUnit(in: .init()) == hex("4c01 ffffff80"))
        for bytes in [hex("4801"), hex("4a01")] {
            let end = try HEVCNALUnit(nalUnit: bytes, in: .init())
            #expect(end.payload == .empty)
            #expect(try end.nalUnit(in: .init()) == bytes)
        }
        #expect(throws: ParameterSetError.self) { try HEVCNALUnit(nalUnit: hex("480180"), in: .init()) }
        let unknown = try HEVCNALUnit(nalUnit: hex("7c01 123456"), in: .init())
        #expect(unknown.payload == .other(OpaqueBits([0x12, 0x34, 0x56])))
        #expect(try unknown.nalUnit(in: .init()) == hex("7c01 123456"))
    }

    @Test("a payload of another type than the header's is refused when writing")
    func mismatch() {
        let unit = HEVCNALUnit(header: .init(type: .vps), payload: .accessUnitDelimiter(.init()))
        let error = thrown { _ = try unit.nalUnit(in: .init()) } as? ParameterSetError
        #expect(error?.code == .notRepresentable && error?.field == "nal_unit_type")
    }

    @Test("a slice finds its parameter sets, and makes its sequence the active one")
    func slices() throws {
        var sets = try sets()
        #expect(sets.vps(0) != nil && sets.activeSPS?.displaySize.height == 132)
        var other = try HEVCSPS(nalUnit: HEVCVectors.still.sps)
        other.id = 1
        sets.insert(other)
        #expect(sets.activeSPS == nil, "there are two")
        var segment = HEVCSliceSegmentHeader()
        segment.slice?.references = nil
        segment.slice?.loopFilterAcrossSlicesEnabledFlag = true
        let header = HEVCNALUnitHeader(type: .idrNLP)
        let unit = HEVCNALUnit(header: header, payload: .sliceSegment(segment, data: OpaqueBits([0xAB, 0x80])))
        let bytes = try unit.nalUnit(in: sets)
        #expect(try HEVCNALUnit(nalUnit: bytes, in: sets) == unit)
        #expect(try HEVCSliceSegmentHeader(nalUnit: bytes, in: sets) == segment)
        #expect(HEVCNALUnit.trace(bytes, updating: &sets).elements.last?.name.field == "slice_segment_data")
        #expect(sets.activeSPS == sets.sps(0))
        #expect(throws: ParameterSetError.self) { try HEVCSliceSegmentHeader(nalUnit: HEVCVectors.main.sps, in: sets) }
    }

    @Test("sets of a layer hide those of lower layers, and not the other way round")
    func layers() {
        var sets = HEVCParameterSets()
        sets.insert(HEVCSPS())
        var higher = HEVCSPS()
        higher.vpsID = 3
        sets.insert(higher, layerID: 2)
        #expect(sets.sps(0)?.vpsID == 0 && sets.sps(0, layerID: 1)?.vpsID == 0)
        #expect(sets.sps(0, layerID: 2)?.vpsID == 3 && sets.sps(0, layerID: 63)?.vpsID == 3)
        #expect(sets.sps(1) == nil && sets.pps(0, layerID: 2) == nil && sets.vps(0) == nil)
    }

    @Test("slices of higher layers are kept as bits")
    func higherLayers() throws {
        let bytes = bits("0 000001 000001 001 1010101010")
        let unit = try HEVCNALUnit(nalUnit: bytes, in: .init())
        #expect(unit.payload == .other(OpaqueBits([0b1010_1010, 0b1000_0000])))
        #expect(try unit.nalUnit(in: .init()) == bytes)
    }
}
