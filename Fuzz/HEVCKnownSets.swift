// SPDX-License-Identifier: MIT

extension HEVCParameterSets {
    /// None, and sets that together make every part of slice headers and SEI messages appear.
    static let known = [HEVCParameterSets(), main, screenContent, separatePlanes]

    private typealias Picture = HEVCShortTermRefPicSet.Picture

    /// Reference picture sets of all kinds, weights, rows in parallel, a buffer model down to decoding units.
    private static let main: HEVCParameterSets = {
        var sps = HEVCSPS()
        sps.format.picWidthInLumaSamples = 416
        sps.format.picHeightInLumaSamples = 240
        sps.ordering.subLayers = [.init()]
        sps.ordering.subLayers[0].maxDecPicBufferingMinus1 = 5
        sps.sampleAdaptiveOffsetEnabledFlag = true
        let near = Picture(deltaPOC: -1, isUsedByCurrentPicture: true)
        let far = Picture(deltaPOC: -5, isUsedByCurrentPicture: true)
        let later = Picture(deltaPOC: 3, isUsedByCurrentPicture: true)
        sps.shortTermRefPicSets = [
            HEVCShortTermRefPicSet(before: [near, far]), HEVCShortTermRefPicSet(before: [near], after: [later]),
            HEVCShortTermRefPicSet(),
        ]
        sps.longTermRefPics = [.init(), .init(), .init()]
        sps.longTermRefPics?[1].isUsedByCurrentPicture = true
        sps.temporalMvpEnabledFlag = true
        sps.vui = HEVCVUI()
        sps.vui?.frameFieldInfoPresentFlag = true
        sps.vui?.timing = .init()
        sps.vui?.timing?.hrd = bufferModel
        var pps = HEVCPPS()
        pps.cabacInitPresentFlag = true
        pps.numRefIdxL0DefaultActiveMinus1 = 1
        pps.quantisation.sliceChromaQpOffsetsPresentFlag = true
        pps.weightedPredFlag = true
        pps.weightedBipredFlag = true
        pps.entropyCodingSyncEnabledFlag = true
        pps.loopFilterAcrossSlicesEnabledFlag = true
        pps.listsModificationPresentFlag = true
        return HEVCParameterSets(vps: HEVCVPS(), sps: sps, pps: pps)
    }()

    private static let bufferModel: HEVCHRD = {
        var model = HEVCHRD()
        model.common.nalHrdParametersPresentFlag = true
        model.common.vclHrdParametersPresentFlag = true
        model.common.subPicture = .init()
        model.common.subPicture?.subPicCpbParamsInPicTimingSeiFlag = true
        model.common.initialCpbRemovalDelayLengthMinus1 = 7
        model.common.auCpbRemovalDelayLengthMinus1 = 3
        model.common.dpbOutputDelayLengthMinus1 = 4
        model.subLayers[0].nalSchedules = [HRDSchedule()]
        model.subLayers[0].nalSchedules[0].decodingUnits = .init()
        model.subLayers[0].vclSchedules = model.subLayers[0].nalSchedules
        return model
    }()

    /// Screen content, tiles, dependent segments, everything that a picture parameter set adds to slices.
    private static let screenContent: HEVCParameterSets = {
        var sps = HEVCSPS()
        sps.format.picWidthInLumaSamples = 416
        sps.format.picHeightInLumaSamples = 240
        sps.extensions = .init()
        sps.extensions?.screenContent = .init()
        sps.extensions?.screenContent?.currPicRefEnabledFlag = true
        sps.extensions?.screenContent?.motionVectorResolutionControlIdc = 2
        sps.extensions?.range = .init()
        sps.extensions?.range?.highPrecisionOffsetsEnabledFlag = true
        var pps = HEVCPPS()
        pps.dependentSliceSegmentsEnabledFlag = true
        pps.outputFlagPresentFlag = true
        pps.numExtraSliceHeaderBits = 3
        pps.weightedPredFlag = true
        pps.tiles = HEVCTiles()
        pps.tiles?.numTileColumnsMinus1 = 2
        pps.tiles?.numTileRowsMinus1 = 1
        pps.deblocking = .init()
        pps.deblocking?.overrideEnabledFlag = true
        pps.listsModificationPresentFlag = true
        pps.sliceSegmentHeaderExtensionPresentFlag = true
        pps.extensions = .init()
        pps.extensions?.screenContent = .init()
        pps.extensions?.screenContent?.currPicRefEnabledFlag = true
        pps.extensions?.screenContent?.actQpOffsets = .init()
        pps.extensions?.screenContent?.actQpOffsets?.sliceActQpOffsetsPresentFlag = true
        pps.extensions?.range = .init()
        pps.extensions?.range?.chromaQpOffsets = .init()
        return HEVCParameterSets(sps: sps, pps: pps)
    }()

    /// 4:4:4 of 16 bits with planes apart.
    private static let separatePlanes: HEVCParameterSets = {
        var sps = HEVCSPS()
        sps.format.chromaFormatIdc = 3
        sps.format.separateColorPlaneFlag = true
        sps.format.bitDepthLumaMinus8 = 8
        sps.format.bitDepthChromaMinus8 = 8
        var pps = HEVCPPS()
        pps.weightedPredFlag = true
        return HEVCParameterSets(sps: sps, pps: pps)
    }()
}
