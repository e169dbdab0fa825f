// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCSPSErrorTests {
    private static func error(_ change: (inout HEVCSPS) -> Void) -> ParameterSetError? {
        var sps = HEVCSPS()
        change(&sps)
        return thrown { _ = try sps.rbsp(in: .baseLayer) } as? ParameterSetError
    }

    @Test("a window that leaves no sample is refused, reading and writing")
    func window() throws {
        let error = Self.error { $0.format.conformanceWindow = CroppingWindow(left: 2, right: 2) }
        #expect(error?.code == .outOfRange && error?.field == "conf_win_right_offset")
        #expect(error?.reason == "is 2, expected 0...1: nothing would be left of 8 x 8 samples")
        //  width 8 height 8 window left right top bottom depth
        let format = bits("010 0001001 0001001 1 1 1 1 00101 1 1")
        var reader = SyntaxReader(format)
        var value = HEVCPictureFormat()
        let failure = thrown { try value.code(with: &reader, in: ()) } as? ParameterSetError
        #expect(failure?.field == "conf_win_bottom_offset" && failure?.bitOffset == 21)
    }

    @Test("block sizes that do not fit each other are refused by the range of the second")
    func blocks() {
        let tooLarge = Self.error {
            $0.blocks.log2MinLumaCodingBlockSizeMinus3 = 2
            $0.blocks.log2DiffMaxMinLumaCodingBlockSize = 2
        }
        #expect(tooLarge?.field == "log2_diff_max_min_luma_coding_block_size")
        #expect(tooLarge?.reason == "is 2, expected 0...1")
        let transform = Self.error { $0.blocks.log2MinLumaTransformBlockSizeMinus2 = 1 }
        #expect(transform?.field == "log2_min_luma_transform_block_size_minus2")
        #expect(transform?.reason == "is 1, expected 0...0")
    }

    @Test("values without a place in the syntax are refused when writing")
    func notRepresentable() {
        let lists = Self.error { $0.scalingLists = HEVCScalingLists() }
        #expect(lists?.code == .notRepresentable && lists?.field == "sps_scaling_list_data_present_flag")
        let planes = Self.error { $0.format.separateColorPlaneFlag = true }
        #expect(planes?.code == .notRepresentable && planes?.field == "separate_colour_plane_flag")
        let layers = Self.error { $0.multilayer = HEVCMultilayerSPS() }
        #expect(layers?.code == .notRepresentable && layers?.field == "update_rep_format_flag")
        let subLayers = Self.error { $0.maxSubLayersMinus1 = 1 }
        #expect(subLayers?.code == .notRepresentable && subLayers?.field == "sub_layer_level_idc")
        let constraint = Self.error { $0.profileTierLevel.profile.onePictureOnlyConstraintFlag = true }
        #expect(constraint?.field == "general_one_picture_only_constraint_flag")
    }

    @Test("a set of a higher layer takes format and profile from elsewhere")
    func multilayer() throws {
        let header = HEVCNALUnitHeader(type: .sps, layerID: 1)
        var sps = HEVCSPS()
        sps.maxSubLayersMinus1 = 7
        sps.multilayer = HEVCMultilayerSPS()
        sps.multilayer?.repFormatIdx = 200
        sps.scalingListEnabledFlag = true
        sps.multilayer?.scalingListRefLayerID = 63
        let unit = try sps.nalUnit(header: header)
        //                        type   layer  tid vps  ext id   format   poc, blocks
        #expect(unit.starts(with: bits("0 100001 000001 001 0000 111 1  1 11001000 1111111")))
        #expect(try HEVCSPS(nalUnit: unit) == sps)
        try expectMutationsHold(
            HEVCSPS.self, nalUnit: unit, in: .init(header: header, parameterSets: HEVCParameterSets()))
        let base = thrown { _ = try sps.nalUnit() } as? ParameterSetError
        #expect(base?.field == "sps_max_sub_layers_minus1" && base?.reason == "is 7, expected 0...6")
    }

    @Test("a buffer model in a multilayer set has the video parameter set's sub-layers, and is refused without")
    func multilayerHRD() throws {
        var sps = HEVCSPS()
        sps.maxSubLayersMinus1 = 7
        sps.multilayer = HEVCMultilayerSPS()
        sps.vui = HEVCVUI()
        sps.vui?.timing = .init()
        var hrd = HEVCHRD()
        hrd.subLayers = [.init(), .init(), .init()]
        hrd.subLayers[2].fixedPicRateGeneralFlag = true
        hrd.subLayers[2].fixedPicRateWithinCvsFlag = true
        sps.vui?.timing?.hrd = hrd
        let header = HEVCNALUnitHeader(type: .sps, layerID: 1)
        var vps = HEVCVPS()
        vps.maxSubLayersMinus1 = 2
        let unit = try sps.nalUnit(header: header, vps: vps)
        #expect(try HEVCSPS(nalUnit: unit, vps: vps) == sps)
        for error in [
            thrown { _ = try sps.nalUnit(header: header) }, thrown { _ = try HEVCSPS(nalUnit: unit) },
        ] {
            let error = error as? ParameterSetError
            #expect(error?.code == .missingParameterSet && error?.field == "hrd_parameters")
        }
        var sets = HEVCParameterSets()
        sets.insert(vps)
        #expect(try HEVCNALUnit(nalUnit: unit, in: sets).payload == .sps(sps))
        // With fewer sub-layers the same bits do not end where they should.
        vps.maxSubLayersMinus1 = 1
        #expect((try? HEVCSPS(nalUnit: unit, vps: vps)) != sps)
    }

    @Test("initial palettes of a multilayer set are refused, as its sample format is not known")
    func multilayerPalette() {
        var sps = HEVCSPS()
        sps.maxSubLayersMinus1 = 7
        sps.multilayer = HEVCMultilayerSPS()
        sps.extensions = HEVCSPSExtensions()
        sps.extensions?.screenContent = HEVCSPSScreenContentExtension()
        sps.extensions?.screenContent?.palette = .init()
        sps.extensions?.screenContent?.palette?.maxSize = 1
        let header = HEVCNALUnitHeader(type: .sps, layerID: 1)
        #expect((try? sps.nalUnit(header: header)) != nil)
        sps.extensions?.screenContent?.palette?.predictorInitializers = [[1], [2], [3]]
        let error = thrown { _ = try sps.nalUnit(header: header) } as? ParameterSetError
        #expect(error?.code == .unsupported && error?.field == "sps_palette_predictor_initializer")
    }
}
