// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCVPSTests {
    @Test("an encoder's set is read field by field")
    func fields() throws {
        let vps = try HEVCVPS(nalUnit: HEVCVectors.rangeExtensions.vps)
        #expect(vps.id == 0 && vps.baseLayerInternalFlag && vps.baseLayerAvailableFlag && vps.maxLayersMinus1 == 0)
        #expect(vps.maxSubLayersMinus1 == 1 && !vps.temporalIdNestingFlag && vps.reserved0xffff16Bits == 0xFFFF)
        #expect(vps.level.description == "4" && vps.profileTierLevel.profile.tierFlag)
        #expect(vps.profileTierLevel.subLayers.count == 1 && vps.ordering.subLayers.count == 2)
        #expect(vps.maxLayerID == 0 && vps.layerSets.isEmpty && vps.timing == nil && vps.extension == nil)
    }

    private static let everything: HEVCVPS = {
        var vps = HEVCVPS()
        vps.id = 15
        vps.baseLayerAvailableFlag = false
        vps.maxLayersMinus1 = 63
        vps.temporalIdNestingFlag = false
        vps.reserved0xffff16Bits = 0xFFFE
        vps.ordering.subLayers[0].maxDecPicBufferingMinus1 = 15
        vps.maxLayerID = 63
        vps.layerSets = [1, .max, 1 << 63]
        vps.timing = .init()
        vps.timing?.clock = ClockTicks(numUnitsInTick: 4_294_967_295, timeScale: 4_294_967_295)
        vps.timing?.numTicksPocDiffOneMinus1 = 4_294_967_294
        var model = HEVCVPS.BufferModel()
        model.layerSetIdx = 3
        model.hrd.common.vclHrdParametersPresentFlag = true
        model.hrd.subLayers[0].vclSchedules = [HRDSchedule()]
        var inheriting = model
        inheriting.cprmsPresentFlag = false
        vps.timing?.bufferModels = [model, inheriting]
        vps.extension = OpaqueBits([0xFF, 0x00, 0x12])
        return vps
    }()

    @Test("a set that uses everything survives, and every mutation of it")
    func survival() throws {
        let unit = try Self.everything.nalUnit()
        #expect(try HEVCVPS(nalUnit: unit) == Self.everything)
        try expectMutationsHold(HEVCVPS.self, nalUnit: unit, in: ())
    }

    @Test("a buffer model without common information takes it from the model before, and not another")
    func inheritance() {
        var vps = Self.everything
        vps.timing?.bufferModels[1].hrd.common.bitRateScale = 1
        let error = thrown { _ = try vps.rbsp() } as? ParameterSetError
        #expect(error?.code == .notRepresentable && error?.field == "nal_hrd_parameters_present_flag")
        vps.timing?.bufferModels = [HEVCVPS.BufferModel()]
        vps.timing?.bufferModels[0].cprmsPresentFlag = false
        let first = thrown { _ = try vps.rbsp() } as? ParameterSetError
        #expect(first?.field == "cprms_present_flag[0]")
    }

    @Test("layers beyond the highest are refused")
    func layers() {
        var vps = HEVCVPS()
        vps.layerSets = [0b10]
        let error = thrown { _ = try vps.rbsp() } as? ParameterSetError
        #expect(error?.field == "layer_id_included_flag[1]" && error?.code == .notRepresentable)
    }

    @Test("more layer sets and sub-layers than the standard has are refused before anything is allocated")
    func limits() {
        var vps = HEVCVPS()
        vps.layerSets = Array(repeating: 1, count: 1024)
        let sets = thrown { _ = try vps.rbsp() } as? ParameterSetError
        #expect(sets?.field == "vps_num_layer_sets_minus1" && sets?.reason == "is 1024, expected 0...1023")
        //                       id   bb layers sub
        let drawing = bits("0000 11 000000 111")
        let subLayers = thrown { _ = try HEVCVPS(rbsp: drawing) } as? ParameterSetError
        #expect(subLayers?.field == "vps_max_sub_layers_minus1" && subLayers?.bitOffset == 12)
    }
}
