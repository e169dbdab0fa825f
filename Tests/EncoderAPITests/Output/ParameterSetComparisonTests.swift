// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct ParameterSetComparisonTests {
    // x265 --preset ultrafast (128x96, 30 frames per second)
    private static let hevc = [
        "40010C01 FFFF0160 00000300 90000003 00000300 1E959409",
        "42010101 60000003 00900000 03000003 001EA010 20616595 95293 0BC0404 00000300 04000003 00782 0",
        "4401C073 C189",
    ].map(Hex.bytes)

    private func areAlike(
        _ sets: [[UInt8]], _ others: [[UInt8]], _ codec: VideoCodec, ignoringLevel: Bool = true
    ) -> Bool {
        ParameterSetComparison(codec: codec, ignoresLevel: ignoringLevel).areAlike(sets, others)
    }

    private func h264(_ change: (inout H264SPS) -> Void) throws -> [[UInt8]] {
        var sps = try H264SPS(nalUnit: FakeStream.sps)
        change(&sps)
        return [try sps.nalUnit(), FakeStream.pps]
    }

    private func hevc(_ change: (inout HEVCVPS, inout HEVCSPS) -> Void) throws -> [[UInt8]] {
        var (vps, sps) = (try HEVCVPS(nalUnit: Self.hevc[0]), try HEVCSPS(nalUnit: Self.hevc[1]))
        change(&vps, &sps)
        return [try vps.nalUnit(), try sps.nalUnit(), Self.hevc[2]]
    }

    @Test("another frame rate makes no difference to pictures, nor does another level where it is left out")
    func speed() throws {
        let plain = [FakeStream.sps, FakeStream.pps]
        let rate = try h264 {
            $0.vui?.timing = ClockTicks(numUnitsInTick: 1, timeScale: 90_000)
            $0.vui?.fixedFrameRateFlag.toggle()
        }
        let level = try h264 { $0.levelIdc = 40 }
        #expect(areAlike(plain, rate, .h264) && areAlike(plain, rate, .h264, ignoringLevel: false))
        #expect(areAlike(plain, level, .h264) && !areAlike(plain, level, .h264, ignoringLevel: false))

        let other = try hevc { $1.vui?.timing?.clock = ClockTicks(numUnitsInTick: 1001, timeScale: 60_000) }
        let higher = try hevc { vps, sps in
            (vps.profileTierLevel.levelIdc, sps.profileTierLevel.levelIdc) = (120, 120)
            (vps.profileTierLevel.profile.tierFlag, sps.profileTierLevel.profile.tierFlag) = (true, true)
        }
        #expect(areAlike(Self.hevc, other, .hevc) && areAlike(Self.hevc, other, .hevc, ignoringLevel: false))
        #expect(areAlike(Self.hevc, higher, .hevc) && !areAlike(Self.hevc, higher, .hevc, ignoringLevel: false))
    }

    @Test("any other difference counts, and so does the clock of a buffer model")
    func others() throws {
        let plain = [FakeStream.sps, FakeStream.pps]
        #expect(try !areAlike(plain, h264 { $0.maxNumRefFrames += 1 }, .h264))
        #expect(try !areAlike(plain, h264 { $0.picWidthInMbsMinus1 += 1 }, .h264))
        #expect(!areAlike(plain, [FakeStream.sps, [0x68, 0xEB]], .h264))
        #expect(!areAlike(plain, [FakeStream.sps], .h264) && !areAlike(plain, [[0x67], FakeStream.pps], .h264))
        #expect(try !areAlike(Self.hevc, hevc { $1.ordering.subLayers[0].maxNumReorderPics += 1 }, .hevc))
        let modelled = try h264 { $0.vui?.nalHRD = H264HRD() }
        let faster = try h264 {
            $0.vui?.nalHRD = H264HRD()
            $0.vui?.timing = ClockTicks(numUnitsInTick: 1, timeScale: 120)
        }
        #expect(!areAlike(modelled, faster, .h264))
        #expect(ParameterSetComparison.haveBufferModel(modelled, codec: .h264))
        #expect(!ParameterSetComparison.haveBufferModel(plain, codec: .h264))
        #expect(!ParameterSetComparison.haveBufferModel(Self.hevc, codec: .hevc))
    }
}
