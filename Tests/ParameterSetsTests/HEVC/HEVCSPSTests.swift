// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

@Suite struct HEVCSPSTests {
    @Test("an encoder's set is read field by field")
    func fields() throws {
        let sps = try HEVCSPS(nalUnit: HEVCVectors.main.sps)
        #expect(sps.vpsID == 0 && sps.id == 0 && sps.maxSubLayersMinus1 == 0 && sps.temporalIdNestingFlag)
        #expect(sps.multilayer == nil && sps.extensions == nil && sps.scalingLists == nil)
        #expect(sps.profileTierLevel.levelIdc == 60 && sps.profile.profileIdc == 1 && !sps.isHighTier)
        #expect(sps.profile.compatibilityFlags == 0x6000_0000 && sps.profile.progressiveSourceFlag)
        #expect(sps.profile.frameOnlyConstraintFlag && !sps.profile.interlacedSourceFlag)
        #expect(sps.format.picWidthInLumaSamples == 168 && sps.format.picHeightInLumaSamples == 136)
        #expect(sps.format.conformanceWindow == CroppingWindow(bottom: 2))
        #expect(sps.log2MaxPicOrderCntLsbMinus4 == 4)
        #expect(sps.ordering.highest.maxLatencyIncreasePlus1 == 5)
        #expect(sps.blocks.ctbLog2Size == 6 && sps.blocks.minCbLog2Size == 3)
        #expect(sps.scalingListEnabledFlag && sps.sampleAdaptiveOffsetEnabledFlag && !sps.ampEnabledFlag)
        #expect(sps.pcm == nil && sps.longTermRefPics == nil && sps.shortTermRefPicSets.isEmpty)
        #expect(sps.temporalMvpEnabledFlag && sps.strongIntraSmoothingEnabledFlag)
        let timing = try #require(sps.vui?.timing)
        #expect(timing.clock == ClockTicks(numUnitsInTick: 1001, timeScale: 30000))
        let hrd = try #require(timing.hrd)
        #expect(hrd.common.nalHrdParametersPresentFlag && !hrd.common.vclHrdParametersPresentFlag)
        let schedule = try #require(hrd.subLayers.first?.nalSchedules.first)
        #expect(schedule.bitsPerSecond(scale: hrd.common.bitRateScale) == 1_000_000)
        #expect(schedule.bufferBits(scale: hrd.common.cpbSizeScale) == 2_000_000)
    }

    @Test("an application's questions are answered")
    func derived() throws {
        let main = try HEVCSPS(nalUnit: HEVCVectors.main.sps)
        #expect(main.codedSize == PictureSize(width: 168, height: 136))
        #expect(main.displaySize == PictureSize(width: 168, height: 132) && main.crop == LumaCrop(bottom: 4))
        #expect(main.frameRate == Ratio(30000, 1001) && main.pixelAspectRatio?.description == "4:3")
        #expect(main.color?.transfer == 1 && main.color?.isFullRange == false)
        #expect(main.reorderFrames == 2 && main.dpbFrames == 5 && main.level.description == "2")
        #expect(main.codecString() == "hvc1.1.6.L60.90" && main.codecString(sampleEntry: "hev1") == "hev1.1.6.L60.90")

        let deep = try HEVCSPS(nalUnit: HEVCVectors.rangeExtensions.sps)
        #expect(deep.chromaFormat == .yuv444 && deep.bitDepthLuma == 10 && deep.bitDepthChroma == 10)
        #expect(deep.isHighTier && deep.level.description == "4" && deep.crop == LumaCrop(bottom: 4))
        #expect(deep.profile.formatConstraints.max12Bit && deep.profile.formatConstraints.max10Bit)
        #expect(!deep.profile.formatConstraints.max8Bit && deep.codecString() == "hvc1.4.10.H120.9C.8")
        #expect(deep.maxSubLayersMinus1 == 1 && deep.profileTierLevel.subLayers.count == 1)

        let still = try HEVCSPS(nalUnit: HEVCVectors.still.sps)
        #expect(still.color == .init(isFullRange: true) && still.vui?.overscanAppropriateFlag == true)
        #expect(still.vui?.chromaLocation == ChromaLocation(2) && still.vui?.videoSignalType?.videoFormat == 2)
        #expect(still.profile.profileIdc == 3 && still.codecString() == "hvc1.3.E.L60.90")
    }

    @Test("writing what was read gives the same bytes", arguments: HEVCVectors.all)
    func roundTrip(vectors: HEVCVectors) throws {
        #expect(try HEVCVPS(nalUnit: vectors.vps).nalUnit() == vectors.vps)
        #expect(try HEVCSPS(nalUnit: vectors.sps).nalUnit() == vectors.sps)
        #expect(try HEVCPPS(nalUnit: vectors.pps).nalUnit() == vectors.pps)
    }

    @Test("every flipped bit and every cut is refused or survives", arguments: HEVCVectors.all)
    func mutations(vectors: HEVCVectors) throws {
        try expectMutationsHold(HEVCVPS.self, nalUnit: vectors.vps, in: ())
        try expectMutationsHold(HEVCSPS.self, nalUnit: vectors.sps, in: .baseLayer)
        try expectMutationsHold(HEVCPPS.self, nalUnit: vectors.pps, in: ())
    }

    @Test("a set that uses everything survives, and every mutation of it")
    func everything() throws {
        let sps = Self.everything
        let unit = try sps.nalUnit()
        #expect(try HEVCSPS(nalUnit: unit) == sps)
        try expectMutationsHold(HEVCSPS.self, nalUnit: unit, in: .baseLayer)
        #expect(sps.crop == LumaCrop(left: 2, right: 4, top: 3, bottom: 4))
        #expect(sps.displaySize == PictureSize(width: 634, height: 473))
    }

    /// A set of 4:2:2 with all optional parts, and values that are not the defaults.
    static let everything: HEVCSPS = {
        var sps = HEVCSPS()
        sps.vpsID = 15
        sps.id = 15
        sps.maxSubLayersMinus1 = 2
        sps.temporalIdNestingFlag = false
        sps.profileTierLevel.profile.profileIdc = 9
        sps.profileTierLevel.profile.formatConstraints.max14Bit = true
        sps.profileTierLevel.profile.reservedBits = 1
        sps.profileTierLevel.levelIdc = 255
        sps.profileTierLevel.subLayers = [.init(), .init()]
        sps.profileTierLevel.subLayers[0].profile = HEVCProfile()
        sps.profileTierLevel.subLayers[0].profile?.reservedBits = 1 << 42
        sps.profileTierLevel.subLayers[1].levelIdc = 93
        sps.profileTierLevel.reservedBits = 0b10_0000_0000_01
        sps.format.chromaFormatIdc = 2
        sps.format.picWidthInLumaSamples = 640
        sps.format.picHeightInLumaSamples = 480
        sps.format.conformanceWindow = CroppingWindow(left: 1, right: 2, top: 3, bottom: 4)
        sps.format.bitDepthLumaMinus8 = 8
        sps.format.bitDepthChromaMinus8 = 2
        sps.log2MaxPicOrderCntLsbMinus4 = 12
        sps.ordering.subLayers = [.init(), .init(), .init()]
        sps.ordering.subLayers[2].maxDecPicBufferingMinus1 = 15
        sps.ordering.subLayers[2].maxNumReorderPics = 15
        sps.ordering.subLayers[2].maxLatencyIncreasePlus1 = 4_294_967_294
        sps.blocks.log2DiffMaxMinLumaCodingBlockSize = 3
        sps.blocks.log2DiffMaxMinLumaTransformBlockSize = 3
        sps.blocks.maxTransformHierarchyDepthIntra = 4
        sps.scalingListEnabledFlag = true
        sps.scalingLists = HEVCScalingLists()
        sps.ampEnabledFlag = true
        sps.pcm = HEVCPCM()
        sps.pcm?.log2DiffMaxMinPcmLumaCodingBlockSize = 2
        sps.shortTermRefPicSets = [
            .init(before: [.init(deltaPOC: -1, isUsedByCurrentPicture: true)]),
            .init(
                before: [.init(deltaPOC: -32768, isUsedByCurrentPicture: false)],
                after: [.init(deltaPOC: 2, isUsedByCurrentPicture: true)]),
        ]
        sps.longTermRefPics = [.init(), .init()]
        sps.longTermRefPics?[1].pocLsb = 65535
        sps.longTermRefPics?[1].isUsedByCurrentPicture = true
        sps.vui = vui
        var extensions = HEVCSPSExtensions()
        extensions.range = HEVCSPSRangeExtension()
        extensions.range?.cabacBypassAlignmentEnabledFlag = true
        extensions.interViewMvVertConstraintFlag = true
        extensions.threeD = HEVCSPS3DExtension()
        extensions.threeD?.skipIntraEnabledFlag = true
        extensions.screenContent = HEVCSPSScreenContentExtension()
        extensions.screenContent?.palette = .init()
        extensions.screenContent?.palette?.maxSize = 2
        extensions.screenContent?.palette?.predictorInitializers = [[65535, 1], [1023, 2], [3, 4]]
        extensions.screenContent?.motionVectorResolutionControlIdc = 2
        extensions.extension4Bits = 5
        extensions.data = OpaqueBits([0xA5, 0x80])
        sps.extensions = extensions
        return sps
    }()

    private static let vui: HEVCVUI = {
        var vui = HEVCVUI()
        vui.aspectRatio = AspectRatioInfo(.init(horizontalSpacing: 17, verticalSpacing: 19))
        vui.overscanAppropriateFlag = false
        vui.videoSignalType = VideoSignalType(.init(isFullRange: true))
        vui.videoSignalType?.codePoints = .init()
        vui.chromaLocation = ChromaLocation(5)
        vui.neutralChromaIndicationFlag = true
        vui.fieldSeqFlag = true
        vui.frameFieldInfoPresentFlag = true
        vui.defaultDisplayWindow = CroppingWindow(left: 4, right: 3, top: 2, bottom: 1)
        vui.timing = .init()
        vui.timing?.numTicksPocDiffOneMinus1 = 4_294_967_294
        var hrd = HEVCHRD()
        hrd.common.nalHrdParametersPresentFlag = true
        hrd.common.vclHrdParametersPresentFlag = true
        hrd.common.subPicture = .init()
        hrd.common.subPicture?.cpbSizeDuScale = 15
        hrd.subLayers = [.init(), .init(), .init()]
        var schedule = HRDSchedule()
        schedule.decodingUnits = .init()
        for index in hrd.subLayers.indices {
            hrd.subLayers[index].nalSchedules = [schedule]
            hrd.subLayers[index].vclSchedules = [schedule]
        }
        hrd.subLayers[0].cpbCntMinus1 = 1
        hrd.subLayers[0].nalSchedules = [schedule, schedule]
        hrd.subLayers[0].vclSchedules = [schedule, schedule]
        hrd.subLayers[1].fixedPicRateGeneralFlag = true
        hrd.subLayers[1].fixedPicRateWithinCvsFlag = true
        hrd.subLayers[1].elementalDurationInTcMinus1 = 2047
        hrd.subLayers[2].lowDelayHrdFlag = true
        vui.timing?.hrd = hrd
        vui.bitstreamRestriction = .init()
        vui.bitstreamRestriction?.minSpatialSegmentationIdc = 4095
        return vui
    }()
}
