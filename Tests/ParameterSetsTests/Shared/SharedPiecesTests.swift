// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

@Suite struct SharedPiecesTests {
    @Test(
        "aspect ratios of table E-1 have a code point",
        arguments: [(1, 1, 1), (12, 11, 2), (160, 99, 13), (8, 6, 14), (4, 2, 16)])
    func aspectRatio(width: Int, height: Int, idc: Int) {
        let shape = SampleAspectRatio(width: width, height: height)
        #expect(shape.aspectRatioIdc == idc && shape.sarWidth == 0)
        #expect(shape.ratio == Ratio(width, height).reduced)
    }

    @Test("other aspect ratios are told in full, reserved ones are unknown")
    func otherAspectRatio() {
        let shape = SampleAspectRatio(width: 34, height: 38)
        #expect(shape.aspectRatioIdc == 255 && shape.sarWidth == 17 && shape.sarHeight == 19)
        var reserved = SampleAspectRatio()
        #expect(reserved.ratio == nil)
        reserved.aspectRatioIdc = 17
        #expect(reserved.ratio == nil)
        reserved.aspectRatioIdc = 255
        #expect(reserved.ratio == nil)
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
