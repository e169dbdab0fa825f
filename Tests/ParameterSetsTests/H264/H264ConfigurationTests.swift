// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct H264ConfigurationTests {
    private func configuration(_ width: Int, _ height: Int) -> SequenceConfiguration {
        SequenceConfiguration(displaySize: PictureSize(width: width, height: height))
    }

    @Test("what is asked for is what the SPS tells when it is read again")
    func everything() throws {
        var wanted = configuration(1918, 1078)
        wanted.frameRate = Ratio(30000, 1001)
        wanted.pixelAspectRatio = .init(horizontalSpacing: 4, verticalSpacing: 3)
        wanted.color = .init(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)
        wanted.chromaLocation = ChromaLocation(2)
        wanted.referenceFrames = 3
        wanted.reorderFrames = 2
        wanted.bufferModel = .init(bitsPerSecond: 6_000_000, bufferBits: 9_000_000, isConstant: true)
        let unit = try H264SPS(wanted, profile: .high).nalUnit()
        let sps = try H264SPS(nalUnit: unit)
        #expect(sps.codedSize == PictureSize(width: 1920, height: 1088))
        #expect(sps.displaySize == wanted.displaySize && sps.frameRate == wanted.frameRate)
        #expect(sps.pixelAspectRatio == wanted.pixelAspectRatio && sps.color == wanted.color)
        #expect(sps.vui?.chromaLocation == ChromaLocation(2))
        #expect(sps.dpbFrames == 3 && sps.reorderFrames == 2)
        #expect(sps.profile == .high && sps.level.description == "4")
        let hrd = try #require(sps.vui?.nalHRD)
        #expect(hrd.schedules[0].bitsPerSecond(scale: hrd.bitRateScale) == 6_000_000)
        #expect(hrd.schedules[0].bufferBits(scale: hrd.cpbSizeScale) == 9_000_000)
        #expect(hrd.schedules[0].cbrFlag)
    }

    @Test("a plain stream tells no more than it must")
    func plain() throws {
        let sps = try H264SPS(configuration(176, 144), profile: .constrainedBaseline)
        #expect(sps.picOrderCnt.type == 2 && sps.frameCropping == nil && sps.level.description == "1")
        #expect(sps.vui?.timing == nil && sps.vui?.videoSignalType == nil && sps.vui?.nalHRD == nil)
        #expect(sps.profile == .constrainedBaseline)
    }

    @Test("level 1b is told as the profile tells it", arguments: [(H264Profile.main, 11, true), (.high, 9, false)])
    func level1b(profile: H264Profile, levelIdc: Int, flag: Bool) throws {
        let sps = try H264SPS(configuration(176, 144), profile: profile, level: .level1b)
        #expect(sps.levelIdc == levelIdc && sps.constraints.set3 == flag && sps.level == .level1b)
    }

    @Test("what a profile or the standard does not have is refused with the value")
    func refused() {
        func reason(
            _ size: (Int, Int) = (64, 64), _ profile: H264Profile = .high,
            _ change: (inout SequenceConfiguration) -> Void = { _ in }
        ) -> String? {
            var wanted = configuration(size.0, size.1)
            change(&wanted)
            return (thrown { _ = try H264SPS(wanted, profile: profile) } as? ParameterSetError)?.reason
        }
        #expect(reason((0, 16)) == "the display width is 0, expected 1...65535")
        #expect(reason((16, 70000)) == "the display height is 70000, expected 1...65535")
        #expect(reason((15, 16)) == "a picture of 15 x 16 samples has no whole chroma samples")
        #expect(reason((32768, 32768)) == "no level of High allows 32768 x 32768 samples at this rate")
        #expect(reason { $0.referenceFrames = 17 } == "the number of reference frames is 17, expected 0...16")
        #expect(reason { $0.chromaFormat = .yuv444 } == "High has no chroma format 4:4:4")
        #expect(reason { $0.bitDepth = 10 } == "10 bits per sample, High has 8...8")
        for profile in [H264Profile.constrainedHigh, .high10Intra, .cavlc444Intra] {
            let reordered = reason((64, 64), profile) { $0.reorderFrames = 1 }
            #expect(reordered?.contains("has no B slices") == true)
        }
        let reordered = reason((64, 64), .baseline) { $0.reorderFrames = 1 }
        #expect(reordered == "Baseline has no B slices, which reordering is for")
        #expect(reason { $0.bufferModel = .init(bitsPerSecond: 0, bufferBits: 1) } != nil)
        #expect(reason { $0.frameRate = Ratio(-25, 1) } == "the frame rate's numerator is -25, expected 1...4294967295")
        for rate in [Ratio(0, 1), Ratio(25, -1), Ratio(.max, 1), Ratio(1, .max)] {
            #expect(reason { $0.frameRate = rate } != nil)
        }
        #expect(reason { $0.pixelAspectRatio = .init(horizontalSpacing: 4, verticalSpacing: -1) } != nil)
        #expect(reason { $0.pixelAspectRatio = .init(horizontalSpacing: 0, verticalSpacing: 1) } != nil)
    }

    @Test(
        "what is not refused can be written, whatever the numbers",
        arguments: [1, 32767, 65537, 1 << 31, 1 << 32, 1 << 47])
    func extremes(number: Int) throws {
        let changes: [(inout SequenceConfiguration) -> Void] = [
            { $0.frameRate = Ratio(number, 1) }, { $0.frameRate = Ratio(1, number) },
            { $0.pixelAspectRatio = .init(horizontalSpacing: number, verticalSpacing: 3) },
            { $0.pixelAspectRatio = .init(horizontalSpacing: 3, verticalSpacing: number) },
            {
                $0.frameRate = Ratio(25, 1); $0.bufferModel = .init(bitsPerSecond: number, bufferBits: number - 1)
            },
            {
                $0.frameRate = Ratio(25, 1); $0.bufferModel = .init(bitsPerSecond: number - 1, bufferBits: number)
            },
        ]
        var written = 0
        for change in changes {
            var wanted = configuration(64, 64)
            change(&wanted)
            if let sps = try? H264SPS(wanted, profile: .high, level: .init(rawValue: 62)) {
                #expect(try H264SPS(nalUnit: sps.nalUnit()) == sps)
                written += 1
            }
            if let sps = try? HEVCSPS(wanted, level: .init(rawValue: 186)) {
                #expect(try HEVCSPS(nalUnit: sps.nalUnit()) == sps)
                written += 1
            }
        }
        #expect(written > 0)
    }
}
