// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCPPSTests {
    @Test("an encoder's set is read field by field")
    func fields() throws {
        let pps = try HEVCPPS(nalUnit: HEVCVectors.main.pps)
        #expect(pps.id == 0 && pps.spsID == 0 && !pps.dependentSliceSegmentsEnabledFlag && pps.tiles == nil)
        #expect(pps.signDataHidingEnabledFlag && pps.numExtraSliceHeaderBits == 0 && !pps.cabacInitPresentFlag)
        #expect(pps.quantisation.initQpMinus26 == 0 && pps.quantisation.diffCuQpDeltaDepth == 1)
        #expect(pps.weightedPredFlag && !pps.weightedBipredFlag && pps.entropyCodingSyncEnabledFlag)
        #expect(pps.loopFilterAcrossSlicesEnabledFlag && pps.deblocking == nil && pps.extensions == nil)
    }

    static let everything: HEVCPPS = {
        var pps = HEVCPPS()
        pps.id = 63
        pps.spsID = 15
        pps.dependentSliceSegmentsEnabledFlag = true
        pps.outputFlagPresentFlag = true
        pps.numExtraSliceHeaderBits = 7
        pps.cabacInitPresentFlag = true
        pps.numRefIdxL0DefaultActiveMinus1 = 14
        pps.numRefIdxL1DefaultActiveMinus1 = 13
        pps.quantisation.initQpMinus26 = -74
        pps.quantisation.diffCuQpDeltaDepth = 3
        pps.quantisation.cbQpOffset = -12
        pps.quantisation.crQpOffset = 12
        pps.transformSkipEnabledFlag = true
        pps.weightedBipredFlag = true
        pps.transquantBypassEnabledFlag = true
        var tiles = HEVCTiles()
        tiles.numTileColumnsMinus1 = 2
        tiles.numTileRowsMinus1 = 1
        tiles.sizes = .init()
        tiles.sizes?.columnWidthsMinus1 = [0, 4095]
        tiles.sizes?.rowHeightsMinus1 = [7]
        pps.tiles = tiles
        pps.deblocking = .init()
        pps.deblocking?.overrideEnabledFlag = true
        pps.deblocking?.betaOffsetDiv2 = -6
        pps.deblocking?.tcOffsetDiv2 = 6
        pps.scalingLists = HEVCScalingLists()
        pps.listsModificationPresentFlag = true
        pps.log2ParallelMergeLevelMinus2 = 4
        pps.sliceSegmentHeaderExtensionPresentFlag = true
        pps.extensions = extensions
        return pps
    }()

    private static let extensions: HEVCPPSExtensions = {
        var extensions = HEVCPPSExtensions()
        extensions.range = .init()
        extensions.range?.log2MaxTransformSkipBlockSizeMinus2 = 3
        extensions.range?.chromaQpOffsets = .init()
        extensions.range?.chromaQpOffsets?.cb = [1, 2, 3, 4, 5, -12]
        extensions.range?.chromaQpOffsets?.cr = [6, 5, 4, 3, 2, 12]
        extensions.range?.log2SaoOffsetScaleChroma = 6
        var multilayer = HEVCPPSMultilayerExtension()
        multilayer.pocResetInfoPresentFlag = true
        multilayer.scalingListRefLayerID = 62
        multilayer.refLocations = [.init(), .init()]
        multilayer.refLocations[1].layerID = 5
        multilayer.refLocations[1].scaledRefLayer = .init()
        multilayer.refLocations[1].scaledRefLayer?.left = -16384
        multilayer.refLocations[1].refRegion = .init()
        multilayer.refLocations[1].refRegion?.bottom = 16383
        multilayer.refLocations[1].phases = .init()
        multilayer.refLocations[1].phases?.verChromaPlus8 = 63
        multilayer.colorMapping = colorMapping
        extensions.multilayer = multilayer
        var tables = HEVCPPS3DExtension.DepthTables()
        var deltas = HEVCDepthDeltas()
        deltas.count = 3
        deltas.maxDiff = 5
        deltas.minDiffMinus1 = 1
        deltas.firstValue = 255
        deltas.diffsMinusMin = [3, 0]
        var single = HEVCDepthDeltas()
        single.count = 1
        single.firstValue = 7
        let flags = OpaqueBits([UInt8](repeating: 0x5A, count: 32))
        tables.layers = [
            nil, .deltas(deltas, isPredicted: false), .deltas(single, isPredicted: true), .values(flags),
        ]
        extensions.threeD = .init()
        extensions.threeD?.depthTables = tables
        extensions.screenContent = .init()
        extensions.screenContent?.currPicRefEnabledFlag = true
        extensions.screenContent?.actQpOffsets = .init()
        extensions.screenContent?.actQpOffsets?.crPlus3 = -9
        extensions.screenContent?.palettePredictor = .init()
        extensions.screenContent?.palettePredictor?.lumaBitDepthEntryMinus8 = 2
        extensions.screenContent?.palettePredictor?.initializers = [[1023], [255], [0]]
        extensions.extension4Bits = 8
        extensions.data = OpaqueBits([0x81])
        return extensions
    }()

    private static let colorMapping: HEVCColorMappingTable = {
        var table = HEVCColorMappingTable()
        table.refLayerIDs = [0, 63]
        table.octantDepth = 1
        table.yPartNumLog2 = 1
        table.lumaBitDepthInputMinus8 = 2
        table.adaptThresholdUDelta = -32768
        table.adaptThresholdVDelta = 32767
        var residual = HEVCColorMappingTable.Residual()
        residual.quotient = 9
        residual.isNegative = true
        var vertex = HEVCColorMappingTable.Vertex()
        vertex.residuals = [residual, .init(), residual]
        var part = HEVCColorMappingTable.Octant()
        part.vertices = Array(repeating: .init(), count: 7) + [vertex]
        table.octant.parts = Array(repeating: part, count: 8)
        return table
    }()

    @Test("a set that uses everything survives, and every mutation of it")
    func survival() throws {
        let unit = try Self.everything.nalUnit()
        #expect(try HEVCPPS(nalUnit: unit) == Self.everything)
        try expectMutationsHold(HEVCPPS.self, nalUnit: unit, in: ())
    }

    @Test("color mapping is traced under the standard's names and indices")
    func colorMappingNames() throws {
        var writer = SyntaxWriter()
        var table = Self.colorMapping
        try table.code(with: &writer, in: ())
        var tracer = SyntaxTracer(writer.bytes)
        try table.code(with: &tracer, in: ())
        let names = tracer.elements.map(\.name.description)
        #expect(names.count { $0 == "split_octant_flag" } == 1)
        // The last part starts at luma 2, Cb 1, Cr 1; its second luma partition is one step on, its last vertex is 3.
        #expect(names.last { $0.hasPrefix("coded_res_flag") } == "coded_res_flag[3][1][1][3]")
    }

    @Test(
        "values beyond the standard's limits are refused with their name",
        arguments: [
            //                                          id         sps   d o ext s c l0         l1
            ("pps_pic_parameter_set_id", "is 64, expected 0...63", "0000001000001 1"),
            ("pps_seq_parameter_set_id", "is 16, expected 0...15", "1 000010001 0"),
            ("num_ref_idx_l0_default_active_minus1", "is 15, expected 0...14", "1 1 0 0 000 0 0 000010000 1"),
            ("init_qp_minus26", "is 26, expected -74...25", "1 1 0 0 000 0 0 1 1 00000110100"),
        ])
    func limits(field: String, reason: String, drawing: String) {
        let error = thrown { _ = try HEVCPPS(rbsp: bits(drawing)) } as? ParameterSetError
        #expect(error?.code == .outOfRange && error?.field == field && error?.reason == reason)
    }

    @Test("a hostile count of tiles is refused before anything is allocated")
    func tiles() {
        var reader = SyntaxReader(bits("0000000000000 1 0000000000001 1"))
        var tiles = HEVCTiles()
        let error = thrown { try tiles.code(with: &reader, in: ()) } as? ParameterSetError
        #expect(error?.field == "num_tile_columns_minus1" && error?.code == .outOfRange)
    }
}
