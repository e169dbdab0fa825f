// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCSliceHeaderTests {
    private typealias Context = HEVCSliceSegmentHeader.Context

    /// Sets that let a slice segment header use everything.
    static let sets: HEVCParameterSets = {
        var sps = HEVCSPSTests.everything
        sps.temporalMvpEnabledFlag = true
        sps.sampleAdaptiveOffsetEnabledFlag = true
        sps.extensions?.range?.highPrecisionOffsetsEnabledFlag = true
        var pps = HEVCPPSTests.everything
        pps.loopFilterAcrossSlicesEnabledFlag = true
        pps.quantisation.sliceChromaQpOffsetsPresentFlag = true
        pps.extensions?.screenContent?.actQpOffsets?.sliceActQpOffsetsPresentFlag = true
        return HEVCParameterSets(sps: sps, pps: pps)
    }()

    private static func context(_ type: HEVCNALUnitType = .trailR, _ sets: HEVCParameterSets = sets) -> Context {
        Context(header: .init(type: type), parameterSets: sets)
    }

    /// A B slice with every optional part.
    static let everything: HEVCSliceSegmentHeader = {
        var slice = HEVCSliceHeader()
        slice.extraFlags = [true, false, true, false, true, false, true]
        slice.kind = .b
        slice.picOutputFlag = false
        var references = HEVCSliceReferences()
        references.picOrderCntLsb = 65535
        references.shortTerm = .sequence(index: 1)
        references.longTerm = [.init(), .init()]
        references.longTerm[0].name = .sequence(index: 1)
        references.longTerm[0].deltaPocMsbCycleLt = 9
        references.longTerm[1].name = .own(pocLsb: 1, isUsedByCurrentPicture: true)
        references.temporalMvpEnabledFlag = true
        slice.references = references
        slice.saoChromaFlag = true
        var prediction = HEVCSlicePrediction()
        prediction.numRefIdxActiveOverrideFlag = true
        prediction.numRefIdxL0ActiveMinus1 = 2
        prediction.listEntriesL0 = [3, 0, 2]
        prediction.mvdL1ZeroFlag = true
        prediction.cabacInitFlag = true
        prediction.collocated = .init()
        prediction.collocated?.refIdx = 2
        prediction.fiveMinusMaxNumMergeCand = 4
        prediction.useIntegerMvFlag = true
        var table = HEVCPredWeightTable()
        table.lumaLog2WeightDenom = 7
        table.deltaChromaLog2WeightDenom = -7
        table.l0 = [.init(), .init(), .init()]
        table.l0[1].luma = .init()
        table.l0[1].luma?.delta = -128
        table.l0[1].luma?.offset = -32768
        table.l0[2].chroma = .init(cb: .init(), cr: .init())
        table.l0[2].chroma?.cr.delta = 127
        table.l0[2].chroma?.cr.offset = 4 * 512 - 1
        table.l1 = [.init()]
        prediction.predWeightTable = table
        slice.prediction = prediction
        slice.qpDelta = 99
        slice.cbQpOffset = -12
        slice.crQpOffset = 12
        slice.actQpOffsets = .init()
        slice.actQpOffsets?.y = 1
        slice.actQpOffsets?.cb = -1
        slice.actQpOffsets?.cr = 12
        slice.cuChromaQpOffsetEnabledFlag = true
        slice.deblocking = .init()
        slice.deblocking?.tcOffsetDiv2 = -6
        slice.loopFilterAcrossSlicesEnabledFlag = true
        var segment = HEVCSliceSegmentHeader()
        segment.firstSliceSegmentInPicFlag = false
        segment.ppsID = 63
        segment.sliceSegmentAddress = 79
        segment.slice = slice
        segment.offsetLenMinus1 = 31
        segment.entryPointOffsetsMinus1 = [4_294_967_295, 0, 7]
        segment.extensionBytes = [1, 2, 255]
        return segment
    }()

    private func write(_ segment: HEVCSliceSegmentHeader, _ context: Context) throws -> [UInt8] {
        var writer = SyntaxWriter()
        var copy = segment
        try copy.code(with: &writer, in: context)
        return writer.bytes
    }

    private func read(_ bytes: [UInt8], _ context: Context) throws -> HEVCSliceSegmentHeader {
        var reader = SyntaxReader(bytes)
        var segment = HEVCSliceSegmentHeader()
        try segment.code(with: &reader, in: context)
        return segment
    }

    @Test("a slice that uses everything survives, and every mutation of it is refused or kept")
    func everything() throws {
        let bytes = try write(Self.everything, Self.context())
        #expect(try read(bytes, Self.context()) == Self.everything)
        var refused = 0
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            guard let segment = try? read(flipped, Self.context()) else {
                refused += 1
                continue
            }
            let written = try write(segment, Self.context())
            #expect(flipped.starts(with: written))
        }
        #expect(refused > 0)
        for count in bytes.indices {
            #expect(throws: ParameterSetError.self) { try read(Array(bytes.prefix(count)), Self.context()) }
        }
    }

    @Test("an entry that is the current picture itself has no weights (7.3.6.3)")
    func currentPicture() throws {
        var tracer = SyntaxTracer(try write(Self.everything, Self.context()))
        var segment = HEVCSliceSegmentHeader()
        try segment.code(with: &tracer, in: Self.context())
        let flags = tracer.elements.map(\.name.description).filter { $0.contains("_weight_l") && $0.contains("flag") }
        #expect(
            flags == [
                "luma_weight_l0_flag[1]", "luma_weight_l0_flag[2]", "chroma_weight_l0_flag[1]",
                "chroma_weight_l0_flag[2]", "luma_weight_l1_flag[0]", "chroma_weight_l1_flag[0]",
            ])
        var weighted = Self.everything
        weighted.slice?.prediction?.predWeightTable?.l0[0].luma = .init()
        let error = thrown { _ = try write(weighted, Self.context()) } as? ParameterSetError
        #expect(error?.code == .notRepresentable && error?.field?.hasPrefix("luma_weight_l0_flag[") == true)
    }

    @Test("the current picture is found among references that are counted for it alone, where lists cannot be changed")
    func currentPictureInUsualLists() throws {
        let sps = try #require(Self.sets.sps(HEVCSPSTests.everything.id))
        var pps = try #require(Self.sets.pps(63))
        pps.listsModificationPresentFlag = false
        let context = Self.context(.trailR, HEVCParameterSets(sps: sps, pps: pps))
        var segment = Self.everything
        segment.slice?.prediction?.listEntriesL0 = nil
        // The current picture is the fourth, and replaces the last of three entries.
        segment.slice?.prediction?.predWeightTable?.l0 = [.init(), .init(), .init()]
        var tracer = SyntaxTracer(try write(segment, context))
        var again = HEVCSliceSegmentHeader()
        try again.code(with: &tracer, in: context)
        #expect(again == segment)
        let flags = tracer.elements.map(\.name.description).filter { $0.hasPrefix("luma_weight_l0_flag") }
        #expect(flags == ["luma_weight_l0_flag[0]", "luma_weight_l0_flag[1]"])
    }

    @Test("the first segment of an IDR picture is read bit by bit")
    func drawn() throws {
        let sets = HEVCParameterSets(sps: HEVCSPS(), pps: HEVCPPS())
        //                  first no pps type qp      align
        let drawing = bits("1     1  1   011  00110   1000 0000")
        let segment = try read(drawing, Self.context(.idrWRADL, sets))
        #expect(segment.firstSliceSegmentInPicFlag && segment.noOutputOfPriorPicsFlag && segment.ppsID == 0)
        #expect(segment.slice?.kind == .i && segment.slice?.qpDelta == 3 && segment.slice?.references == nil)
        #expect(try write(segment, Self.context(.idrWRADL, sets)) == Array(drawing.prefix(2)))
        //                           first pps type lsb  own neg pos  qp align
        let trailing = try read(bits("1     1   011  1010 0   1   1    1  1 0"), Self.context(.trailR, sets))
        #expect(trailing.slice?.references?.picOrderCntLsb == 10)
        #expect(trailing.slice?.references?.shortTerm == .own(.init()))
    }

    @Test("a dependent segment has only its own place")
    func dependent() throws {
        var segment = HEVCSliceSegmentHeader()
        segment.firstSliceSegmentInPicFlag = false
        segment.ppsID = 63
        segment.sliceSegmentAddress = 1
        segment.slice = nil
        segment.extensionBytes = []
        //                       first pps           dep address entries ext align
        #expect(try write(segment, Self.context()) == bits("0 0000001000000 1 0000001 1 1 1"))
        #expect(try read(write(segment, Self.context()), Self.context()) == segment)
        segment.firstSliceSegmentInPicFlag = true
        segment.sliceSegmentAddress = 0
        let first = thrown { _ = try write(segment, Self.context()) } as? ParameterSetError
        #expect(first?.field == "dependent_slice_segment_flag" && first?.code == .notRepresentable)
    }

    @Test("what a slice lacks or cannot refer to is an error that names it")
    func missing() {
        let none = thrown { _ = try read(bits("1 1 1"), Self.context(.trailR, .init())) } as? ParameterSetError
        #expect(none?.code == .missingParameterSet && none?.bitOffset == 1)
        var orphan = HEVCParameterSets()
        orphan.insert(HEVCPPSTests.everything)
        let sps = thrown { _ = try read(bits("1 0000001000000"), Self.context(.trailR, orphan)) } as? ParameterSetError
        #expect(sps?.reason == "refers to SPS 15 by PPS 63, but no such set came before")
        let layer = Context(header: .init(type: .trailR, layerID: 1), parameterSets: Self.sets)
        let higher = thrown { _ = try read(bits("1 1 1"), layer) } as? ParameterSetError
        #expect(higher?.code == .unsupported)
        let plain = HEVCParameterSets(sps: HEVCSPS(), pps: HEVCPPS())
        //                       first pps type lsb  sps
        let set = thrown { _ = try read(bits("1 1 011 1010 1 1"), Self.context(.trailR, plain)) } as? ParameterSetError
        #expect(set?.field == "short_term_ref_pic_set_sps_flag" && set?.bitOffset == 9)
    }

    @Test("a hostile number of entry points is refused before anything is allocated")
    func entryPoints() {
        var sps = HEVCSPS()
        sps.format.picWidthInLumaSamples = 65528
        sps.format.picHeightInLumaSamples = 65528
        var pps = HEVCPPS()
        pps.tiles = HEVCTiles()
        pps.tiles?.numTileColumnsMinus1 = 4095
        pps.tiles?.numTileRowsMinus1 = 4095
        let sets = HEVCParameterSets(sps: sps, pps: pps)
        //                  first no pps type qp entries 8388607                                  more
        let drawing = bits("1     0  1   011  1  0000000 00000000 00000000 1 00000000 00000000 00000000 1111")
        let error = thrown { _ = try read(drawing, Self.context(.idrWRADL, sets)) } as? ParameterSetError
        #expect(error?.code == .endOfData && error?.field == "num_entry_point_offsets")
    }
}
