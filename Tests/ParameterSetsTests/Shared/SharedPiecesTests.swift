// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

@Suite struct SharedPiecesTests {
    @Test(
        "aspect ratios of table E-1 have a code point",
        arguments: [(1, 1, 1), (12, 11, 2), (160, 99, 13), (8, 6, 14), (4, 2, 16)])
    func aspectRatio(width: Int, height: Int, idc: Int) {
        let ratio = PixelAspectRatio(horizontalSpacing: width, verticalSpacing: height)
        let info = AspectRatioInfo(ratio)
        #expect(info.aspectRatioIdc == idc && info.sarWidth == 0)
        #expect(info.pixelAspectRatio == ratio.reduced)
    }

    @Test("other aspect ratios are told in full, reserved ones are unknown")
    func otherAspectRatio() {
        let info = AspectRatioInfo(.init(horizontalSpacing: 34, verticalSpacing: 38))
        #expect(info.aspectRatioIdc == 255 && info.sarWidth == 17 && info.sarHeight == 19)
        #expect(info.pixelAspectRatio == .init(horizontalSpacing: 17, verticalSpacing: 19))
        var reserved = AspectRatioInfo()
        #expect(reserved.pixelAspectRatio == nil)
        reserved.aspectRatioIdc = 17
        #expect(reserved.pixelAspectRatio == nil)
        reserved.aspectRatioIdc = 255
        #expect(reserved.pixelAspectRatio == nil)
    }

    @Test("a ratio with a side of zero or less is kept as it is", arguments: [(0, 5), (5, 0), (-4, 2), (4, Int.min)])
    func impossibleRatio(width: Int, height: Int) {
        let ratio = PixelAspectRatio(horizontalSpacing: width, verticalSpacing: height)
        #expect(ratio.reduced == ratio && AspectRatioInfo(ratio).pixelAspectRatio == nil)
    }

    @Test(
        "a color that says something is told and read back, one that says nothing is nil",
        arguments: [
            .bt709, .bt601PAL, .bt2100PQ, .init(isFullRange: true), .init(transfer: 16), .init(matrix: 0),
            .init(primaries: 255, transfer: 0, matrix: 9, isFullRange: true),
        ] as [ColorDescription])
    func color(color: ColorDescription) {
        #expect(VideoSignalType(color).color == color)
        let hasCodes = color != ColorDescription(isFullRange: true)
        #expect((VideoSignalType(color).codePoints != nil) == hasCodes)
        #expect(VideoSignalType(ColorDescription()).color == nil && VideoSignalType().color == nil)
    }

    @Test("windows count in units of chroma samples")
    func croppingWindow() {
        let window = CroppingWindow(LumaCrop(left: 2, right: 4, top: 6, bottom: 8), unitWidth: 2, unitHeight: 2)
        #expect(window == CroppingWindow(left: 1, right: 2, top: 3, bottom: 4))
        #expect(CroppingWindow(LumaCrop(left: 1), unitWidth: 2, unitHeight: 2) == nil)
        #expect(window?.lumaCrop(unitWidth: 2, unitHeight: 4).bottom == 16)
    }

    @Test("schedules are rounded up to their scale", arguments: [(1, 1, 64, 16), (64, 16, 64, 16), (65, 17, 128, 32)])
    func schedule(rate: Int, buffer: Int, codedRate: Int, codedBuffer: Int) {
        let schedule = HRDSchedule(
            bitsPerSecond: rate, bufferBits: buffer, bitRateScale: 0, cpbSizeScale: 0, isConstant: false)
        #expect(schedule.bitsPerSecond(scale: 0) == codedRate && schedule.bufferBits(scale: 0) == codedBuffer)
    }

    @Test("ratios reduce to lowest terms")
    func ratio() {
        #expect(Ratio(60000, 2002).reduced == Ratio(30000, 1001))
        #expect(Ratio(0, 5).reduced == Ratio(0, 1))
        #expect(Ratio(3, -6).reduced == Ratio(-1, 2))
        #expect(Ratio(1, 4).value == 0.25)
    }

    @Test("clocks with a zero have no rate")
    func clock() {
        #expect(ClockTicks(numUnitsInTick: 0, timeScale: 25).ticksPerSecond == nil)
        #expect(ClockTicks(numUnitsInTick: 1, timeScale: 50).ticksPerSecond == Ratio(50, 1))
    }
}
