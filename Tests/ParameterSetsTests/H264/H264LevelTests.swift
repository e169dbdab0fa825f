// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct H264LevelTests {
    @Test(
        "the lowest level that suffices is chosen",
        arguments: [
            (176, 144, 15.0, 64_000, 0, 1, "1"),
            (176, 144, 15, 64_001, 0, 1, "1b"),
            (176, 144, 15.01, 0, 0, 1, "1.1"),
            (352, 288, 30, 0, 0, 1, "1.3"),
            (352, 288, 30, 0, 0, 7, "2.1"),
            (1280, 720, 30, 0, 0, 4, "3.1"),
            (1280, 720, 30, 14_000_001, 0, 4, "3.2"),
            (1280, 720, 30, 0, 14_000_001, 4, "3.2"),
            (1920, 1080, 30, 0, 0, 4, "4"),
            (1920, 1080, 30, 0, 0, 5, "5"),
            (1920, 1080, 60, 0, 0, 4, "4.2"),
            (3840, 2160, 60, 0, 0, 4, "5.2"),
            (7680, 4320, 120, 0, 0, 4, "6.2"),
            (0, 0, 0, 0, 0, 0, "1"),
            // No more than 172 pictures a second below level 6, 300 from there on.
            (64, 64, 172, 0, 0, 1, "1.1"),
            (64, 64, 172.01, 0, 0, 1, "6"),
            (64, 64, 300, 0, 0, 1, "6"),
        ] as [(Int, Int, Double, Int, Int, Int, String)])
    func lowest(width: Int, height: Int, rate: Double, bits: Int, buffer: Int, frames: Int, expected: String) {
        let level = H264Level.lowest(
            width: width, height: height, framesPerSecond: rate, bitsPerSecond: bits, bufferBits: buffer,
            profile: .main, dpbFrames: frames)
        #expect(level?.description == expected)
    }

    @Test("no level suffices beyond the last")
    func none() {
        func lowest(_ width: Int, _ height: Int, rate: Double = 1, frames: Int = 1) -> H264Level? {
            H264Level.lowest(
                width: width, height: height, framesPerSecond: rate, bitsPerSecond: 0, bufferBits: 0, profile: .high,
                dpbFrames: frames)
        }
        #expect(lowest(16880, 16) != nil)
        #expect(lowest(16896, 16) == nil)
        for side in [0, 16, .max / 2, .max] {
            #expect(lowest(.max, side) == nil && lowest(side, .max) == nil)
        }
        #expect(lowest(16, 16, frames: 17) == nil)
        #expect(lowest(16, 16, rate: 300.01) == nil)
        #expect(H264Level(rawValue: -5).description == "level -5")
    }

    @Test("High allows a quarter more bits than Main", arguments: [(H264Profile.main, "4.1"), (.high, "4")])
    func profileFactor(profile: H264Profile, expected: String) {
        let level = H264Level.lowest(
            width: 1920, height: 1080, framesPerSecond: 30, bitsPerSecond: 25_000_000, bufferBits: 25_000_000,
            profile: profile, dpbFrames: 4)
        #expect(level?.description == expected)
    }

    @Test("level 1b is told by a flag up to Extended and by 9 above", arguments: [66, 77, 88, 100, 110])
    func level1b(profileIdc: Int) {
        let coded = H264Level.level1b.coded(profileIdc: profileIdc)
        #expect(coded.levelIdc == (profileIdc < 100 ? 11 : 9))
        #expect(coded.constraintSet3 == (profileIdc < 100 ? true : nil))
        var constraints = H264Constraints()
        constraints.set3 = coded.constraintSet3 ?? false
        let profile = H264Profile(profileIdc: profileIdc, constraints: constraints)
        #expect(H264Level(levelIdc: coded.levelIdc, profile: profile) == .level1b)
        #expect(H264Level(levelIdc: 11, profile: H264Profile(profileIdc: profileIdc)).description == "1.1")
    }

    @Test("buffers are counted in frames, at most 16", arguments: [("3.1", 31, 5), ("6.2", 62, 16), ("?", 77, nil)])
    func dpb(name: String, level: Int, frames: Int?) {
        #expect(H264Level(rawValue: level).maxDpbFrames(PictureSize(width: 1280, height: 720)) == frames)
    }

    @Test("profiles have the standard's names")
    func profileNames() {
        #expect(H264Profile.constrainedHigh.description == "Constrained High")
        #expect(H264Profile.progressiveHigh.description == "Progressive High")
        #expect(H264Profile.high10Intra.description == "High 10 Intra" && H264Profile.high10Intra.isIntraOnly)
        #expect(H264Profile.cavlc444Intra.isIntraOnly && !H264Profile.high422.isIntraOnly)
        #expect(H264Profile(profileIdc: 99).description == "profile 99")
    }
}
