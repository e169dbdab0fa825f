// SPDX-License-Identifier: MIT

extension H264ParameterSets {
    /// None, and sets that together make every part of slice headers and SEI messages appear.
    static let known = [H264ParameterSets(), high, interlaced, separatePlanes]

    /// CABAC, explicit weights, the two buffer models, times of pictures.
    private static let high: H264ParameterSets = {
        var sps = H264SPS()
        sps.profileIdc = 100
        sps.maxNumRefFrames = 4
        sps.picWidthInMbsMinus1 = 10
        sps.picHeightInMapUnitsMinus1 = 8
        var vui = H264VUI()
        vui.timing = ClockTicks(numUnitsInTick: 1, timeScale: 50)
        var model = H264HRD()
        model.schedules = [HRDSchedule(), HRDSchedule()]
        model.initialCpbRemovalDelayLengthMinus1 = 7
        model.cpbRemovalDelayLengthMinus1 = 3
        model.dpbOutputDelayLengthMinus1 = 4
        vui.nalHRD = model
        vui.vclHRD = model
        vui.picStructPresentFlag = true
        sps.vui = vui
        var pps = H264PPS()
        pps.entropyCodingModeFlag = true
        pps.weightedPredFlag = true
        pps.weightedBipredIdc = 1
        pps.deblockingFilterControlPresentFlag = true
        pps.high = .init()
        pps.high?.transform8x8ModeFlag = true
        return H264ParameterSets(sps: sps, pps: pps)
    }()

    /// Fields, order counts of type 1, slice groups that change, redundant pictures.
    private static let interlaced: H264ParameterSets = {
        var sps = H264SPS()
        sps.profileIdc = 88
        sps.picOrderCnt.type = 1
        sps.picOrderCnt.offsetForRefFrame = [2, 4]
        sps.picWidthInMbsMinus1 = 10
        sps.picHeightInMapUnitsMinus1 = 8
        sps.frameMbsOnlyFlag = false
        var pps = H264PPS()
        pps.bottomFieldPicOrderInFramePresentFlag = true
        pps.redundantPicCntPresentFlag = true
        pps.sliceGroups = H264SliceGroups()
        pps.sliceGroups?.map = .changing(type: 4, directionFlag: false, rateMinus1: 6)
        return H264ParameterSets(sps: sps, pps: pps)
    }()

    /// 4:4:4 of 14 bits with planes apart and scaling lists, order counts of type 0 with both fields.
    private static let separatePlanes: H264ParameterSets = {
        var sps = H264SPS()
        sps.profileIdc = 244
        sps.format.chromaFormatIdc = 3
        sps.format.separateColorPlaneFlag = true
        sps.format.bitDepthLumaMinus8 = 6
        sps.format.bitDepthChromaMinus8 = 6
        sps.scalingMatrix = H264ScalingMatrix()
        sps.scalingMatrix?.lists = Array(repeating: .default, count: 12)
        var pps = H264PPS()
        pps.bottomFieldPicOrderInFramePresentFlag = true
        pps.weightedPredFlag = true
        pps.numRefIdxL0DefaultActiveMinus1 = 2
        return H264ParameterSets(sps: sps, pps: pps)
    }()
}
