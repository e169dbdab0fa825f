// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

@Suite struct HEVCLevelTests {
    @Test(
        "levels have their numbers and names",
        arguments: [(30, "1"), (63, "2.1"), (93, "3.1"), (120, "4"), (186, "6.2"), (255, "8.5"), (100, "level 100")])
    func names(idc: Int, name: String) {
        #expect(HEVCLevel(rawValue: idc).description == name)
    }

    @Test(
        "the lowest level that holds a stream is found",
        arguments: [
            (176, 144, 15.0, 0, false, 1, 30), (352, 288, 30, 1_000_000, false, 6, 60),
            (1280, 720, 30, 10_000_000, false, 6, 93), (1280, 720, 60, 10_000_000, false, 6, 120),
            (1920, 1080, 30, 12_000_000, false, 6, 120), (1920, 1080, 30, 12_000_001, false, 6, 123),
            (1920, 1080, 30, 30_000_000, true, 6, 120), (1920, 1088, 60, 0, false, 6, 123),
            (1920, 1080, 60, 0, false, 7, 150), (3840, 2160, 60, 0, false, 6, 153),
            (7680, 4320, 120, 0, false, 6, 186), (4222, 64, 30, 0, false, 6, 120), (4223, 64, 30, 0, false, 6, 150),
            (176, 144, 15, 0, true, 1, 120), (64, 64, 300, 0, false, 1, 60),
        ])
    func lowest(
        width: Int, height: Int, rate: Double, bitRate: Int, isHighTier: Bool, frames: Int, level: Int
    ) {
        let found = HEVCLevel.lowest(
            width: width, height: height, framesPerSecond: rate, bitsPerSecond: bitRate, isHighTier: isHighTier,
            dpbFrames: frames)
        #expect(found?.rawValue == level)
    }

    @Test("nothing holds what is beyond level 6.2")
    func tooMuch() {
        #expect(HEVCLevel.lowest(width: 8192, height: 8192) == nil)
        #expect(HEVCLevel.lowest(width: 1920, height: 1080, framesPerSecond: 5000) == nil)
        #expect(HEVCLevel.lowest(width: 64, height: 64, bitsPerSecond: 240_000_001) == nil)
        #expect(HEVCLevel.lowest(width: .max, height: 2) == nil)
        #expect(HEVCLevel.lowest(width: 64, height: 64, framesPerSecond: 300.01) == nil)
        #expect(HEVCLevel.lowest(width: 64, height: 64, bitsPerSecond: 1, factor: .max)?.rawValue == 30)
    }

    @Test("a buffer larger than the rate's level asks for the next")
    func buffer() {
        let level = HEVCLevel.lowest(
            width: 640, height: 360, framesPerSecond: 30, bitsPerSecond: 100_000, bufferBits: 6_000_001)
        #expect(level?.description == "3.1")
    }

    @Test("smaller pictures may be kept longer", arguments: [(2_228_224, 6), (1_671_168, 8), (1_114_112, 12), (1, 16)])
    func decodedPictureBuffer(samples: Int, frames: Int) throws {
        let limits = try #require(HEVCLevel(rawValue: 120).limits())
        #expect(limits.maxDpbFrames(lumaSamples: samples) == frames)
    }

    @Test("limits grow from level to level, in both tiers")
    func growth() {
        for (lower, higher) in zip(HEVCLevel.all, HEVCLevel.all.dropFirst()) {
            #expect(lower < higher)
            for isHighTier in [false, true] {
                guard let low = lower.limits(isHighTier: isHighTier) else { continue }
                let high = higher.limits(isHighTier: isHighTier)
                #expect(high.map { low.bitRate <= $0.bitRate } == true)
                #expect(high.map { low.lumaSamplesPerSecond <= $0.lumaSamplesPerSecond } == true)
                #expect(high.map { low.lumaSamplesPerPicture <= $0.lumaSamplesPerPicture } == true)
            }
        }
        #expect(HEVCLevel.all.count == 13 && HEVCLevel.unlimited.limits() == nil)
        #expect(HEVCLevel(rawValue: 93).limits(isHighTier: true) == nil)
    }
}
