// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct H264SPSTests {
    @Test("an encoder's SPS is read field by field")
    func high() throws {
        let sps = try H264SPS(nalUnit: H264Vectors.high)
        #expect(sps.profileIdc == 100 && sps.constraints == H264Constraints() && sps.levelIdc == 20 && sps.id == 0)
        #expect(sps.format.chromaFormatIdc == 1 && sps.format.bitDepthLumaMinus8 == 0 && sps.scalingMatrix == nil)
        #expect(sps.log2MaxFrameNumMinus4 == 0 && sps.maxNumRefFrames == 4)
        #expect(sps.picOrderCnt.type == 0 && sps.picOrderCnt.log2MaxPicOrderCntLsbMinus4 == 2)
        #expect(sps.picWidthInMbsMinus1 == 10 && sps.picHeightInMapUnitsMinus1 == 8)
        #expect(sps.frameMbsOnlyFlag && sps.direct8x8InferenceFlag && sps.frameCropping == nil)
        let vui = try #require(sps.vui)
        #expect(vui.aspectRatio?.aspectRatioIdc == 14)
        #expect(vui.overscanAppropriateFlag == nil && vui.chromaLocation == nil)
        #expect(vui.videoSignalType == VideoSignalType(.bt709))
        #expect(vui.timing == ClockTicks(numUnitsInTick: 1001, timeScale: 60000) && vui.fixedFrameRateFlag)
        let hrd = try #require(vui.nalHRD)
        #expect(hrd.schedules.map(\.cbrFlag) == [true])
        #expect(hrd.schedules[0].bitsPerSecond(scale: hrd.bitRateScale) == 1_000_000)
        #expect(hrd.schedules[0].bufferBits(scale: hrd.cpbSizeScale) == 2_000_000)
        #expect(hrd.initialCpbRemovalDelayLengthMinus1 == 19 && hrd.cpbRemovalDelayLengthMinus1 == 12)
        #expect(hrd.dpbOutputDelayLengthMinus1 == 6 && hrd.timeOffsetLength == 0)
        #expect(vui.vclHRD == nil && !vui.lowDelayHrdFlag && !vui.picStructPresentFlag)
        #expect(vui.bitstreamRestriction?.log2MaxMvLengthHorizontal == 9)
    }

    @Test("derived values are what an application needs")
    func derived() throws {
        let high = try H264SPS(nalUnit: H264Vectors.high)
        #expect(high.codedSize == PictureSize(width: 176, height: 144) && high.displaySize == high.codedSize)
        #expect(high.pixelAspectRatio?.description == "4:3" && high.frameRate == Ratio(30000, 1001))
        #expect(high.color == .bt709)
        #expect(high.reorderFrames == 2 && high.dpbFrames == 4)
        #expect(high.profile.description == "High" && high.level.description == "2")
        var changed = high
        changed.levelIdc = 300
        #expect(changed.codecString() == "avc1.64002C")
        #expect(high.codecString() == "avc1.640014" && high.codecString(sampleEntry: "avc3") == "avc3.640014")

        let baseline = try H264SPS(nalUnit: H264Vectors.baseline)
        #expect(baseline.profile.description == "Constrained Baseline" && baseline.codecString() == "avc1.42C00B")
        #expect(baseline.reorderFrames == 0)

        let interlaced = try H264SPS(nalUnit: H264Vectors.high422)
        #expect(
            !interlaced.frameMbsOnlyFlag && interlaced.chromaFormat == .yuv422 && interlaced.color?.isFullRange == true)
        #expect(interlaced.codedSize == PictureSize(width: 176, height: 160))
        #expect(interlaced.crop == LumaCrop(left: 2, right: 6, top: 4, bottom: 24))
        #expect(interlaced.displaySize == PictureSize(width: 168, height: 132))

        let deep = try H264SPS(nalUnit: H264Vectors.high444)
        #expect(deep.chromaFormat == .yuv444 && deep.bitDepthLuma == 10 && deep.bitDepthChroma == 10)
        #expect(deep.profile.description == "High 4:4:4 Predictive" && deep.crop == LumaCrop())
    }

    @Test("writing what was read gives the same bytes", arguments: H264Vectors.all)
    func roundTrip(sps: [UInt8], pps: [UInt8]) throws {
        let parsed = try H264SPS(nalUnit: sps)
        #expect(try parsed.nalUnit() == sps)
        #expect(try H264PPS(nalUnit: pps, sps: parsed).nalUnit(in: sets(parsed)) == pps)
    }

    @Test("every flipped bit and every cut is refused or survives", arguments: H264Vectors.all)
    func mutations(sps: [UInt8], pps: [UInt8]) throws {
        try expectMutationsHold(H264SPS.self, nalUnit: sps, in: ())
        let parsed = try H264SPS(nalUnit: sps)
        try expectMutationsHold(H264PPS.self, nalUnit: pps, in: sets(parsed))
    }

    @Test("every field of a sequence that uses all of them survives")
    func everything() throws {
        var sps = H264SPS()
        sps.profileIdc = 244
        sps.constraints.set2 = true
        sps.constraints.reservedZero2Bits = 2
        sps.levelIdc = 51
        sps.id = 31
        sps.format.chromaFormatIdc = 3
        sps.format.separateColorPlaneFlag = true
        sps.format.bitDepthLumaMinus8 = 6
        sps.format.bitDepthChromaMinus8 = 5
        sps.qpprimeYZeroTransformBypassFlag = true
        var matrix = H264ScalingMatrix()
        matrix.lists = Array(repeating: nil, count: 12)
        matrix.lists[0] = .default
        matrix.lists[3] = H264ScalingList(weights: Array(1...16))
        matrix.lists[11] = H264ScalingList(weights: (0..<64).map { 255 - $0 * 3 })
        sps.scalingMatrix = matrix
        sps.picOrderCnt.type = 1
        sps.picOrderCnt.offsetForNonRefPic = -2_147_483_647
        sps.picOrderCnt.offsetForTopToBottomField = 2_147_483_647
        sps.picOrderCnt.offsetForRefFrame = [0, 1, -1, 77]
        sps.gapsInFrameNumValueAllowedFlag = true
        sps.frameMbsOnlyFlag = false
        sps.mbAdaptiveFrameFieldFlag = true
        sps.frameCropping = CroppingWindow(left: 1, right: 2, top: 3, bottom: 4)
        var vui = H264VUI()
        vui.aspectRatio = AspectRatioInfo(.init(horizontalSpacing: 17, verticalSpacing: 19))
        vui.overscanAppropriateFlag = true
        vui.videoSignalType = VideoSignalType(.init(isFullRange: true))
        vui.chromaLocation = ChromaLocation(5)
        vui.vclHRD = H264HRD()
        vui.vclHRD?.schedules = Array(repeating: HRDSchedule(), count: 32)
        vui.lowDelayHrdFlag = true
        vui.picStructPresentFlag = true
        sps.vui = vui
        #expect(try H264SPS(nalUnit: sps.nalUnit()) == sps)
        #expect(try H264SPS(rbsp: sps.rbsp()) == sps)
        #expect(sps.crop == LumaCrop(left: 1, right: 2, top: 6, bottom: 8))
    }

    @Test("values without a place in the syntax are refused when writing")
    func notRepresentable() {
        var sps = H264SPS()
        sps.format.bitDepthLumaMinus8 = 2
        let depth = thrown { _ = try sps.rbsp() } as? ParameterSetError
        #expect(depth?.code == .notRepresentable && depth?.field == "profile_idc")
        sps = H264SPS()
        sps.id = 32
        let id = thrown { _ = try sps.rbsp() } as? ParameterSetError
        #expect(id?.code == .outOfRange && id?.reason == "is 32, expected 0...31" && id?.bitOffset == 24)
    }

    @Test(
        "cropping the whole picture is refused by the offset that is too large, at its place",
        arguments: [
            (CroppingWindow(left: 8), "left", "is 8, expected 0...7", 0),
            (CroppingWindow(left: 4, right: 4), "right", "is 4, expected 0...3", 5),
            (CroppingWindow(top: 65535), "top", "is 65535, expected 0...7", 2),
            (CroppingWindow(left: 1, right: 2, top: 3, bottom: 5), "bottom", "is 5, expected 0...4", 11),
        ])
    func cropEverything(window: CroppingWindow, side: String, reason: String, bits: Int) throws {
        var sps = H264SPS()
        let flag = try #require(thrownCrop(&sps, CroppingWindow(left: 8)).bitOffset)
        let error = try thrownCrop(&sps, window)
        #expect(error.code == .outOfRange && error.field == "frame_crop_\(side)_offset")
        #expect(error.reason == "\(reason): nothing would be left of 16 x 16 samples")
        #expect(error.bitOffset == flag + bits)
    }

    private func thrownCrop(_ sps: inout H264SPS, _ window: CroppingWindow) throws -> ParameterSetError {
        sps.frameCropping = window
        let copy = sps
        return try #require(thrown { _ = try copy.rbsp() } as? ParameterSetError)
    }

    @Test("a format that the profile cannot tell is refused by profile and format")
    func format() {
        var sps = H264SPS()
        sps.format.bitDepthLumaMinus8 = 4
        let error = thrown { _ = try sps.rbsp() } as? ParameterSetError
        #expect(error?.code == .notRepresentable && error?.field == "profile_idc")
        let values = "chroma_format_idc is 1, expected 1, bit depths minus 8 are 4 and 0, expected 0 and 0"
        #expect(error?.reason == "is \(sps.profileIdc), which has 4:2:0 in 8 bits only; \(values)")
    }

    @Test("a unit of another type is refused by name")
    func wrongType() {
        let error = thrown { _ = try H264SPS(nalUnit: H264Vectors.highPPS) } as? ParameterSetError
        #expect(error?.code == .wrongUnitType && error?.reason == "is PPS, expected SPS")
    }
}
