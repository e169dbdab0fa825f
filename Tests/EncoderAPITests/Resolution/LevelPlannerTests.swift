// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct LevelPlannerTests {
    private static func encoder(_ codec: VideoCodec) -> EncoderDescription {
        var encoder = FakeBackend().encoder
        encoder.codec = codec
        encoder.capabilities.profiles = Profile.allCases.filter { $0.codec == codec }
        return encoder
    }

    private static func inForce(
        _ codec: VideoCodec, _ width: Int = 1280, _ height: Int = 720,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> SettingsInForce {
        var configuration = SessionConfiguration(codec: codec, width: width, height: height)
        change(&configuration)
        return try SettingsInForce(configuration: configuration, encoder: encoder(codec))
    }

    @Test(
        "below a ceiling no live change moves the level, and what it allows bounds rate and buffer",
        arguments: [VideoCodec.h264, .hevc])
    func pinned(codec: VideoCodec) throws {
        var generator = SeededGenerator()
        let sizes = [(176, 144), (640, 360), (1280, 720), (1920, 1080), (3840, 2160)]
        for _ in 0..<200 {
            let size = sizes.randomElement(using: &generator) ?? (16, 16)
            let ceiling = Int.random(in: 100_000...40_000_000, using: &generator)
            let rate = FrameRate(numerator: [15, 24, 25, 30, 50, 60, 120].randomElement(using: &generator) ?? 30)
            func live() -> LiveSettings {
                var live = LiveSettings(rateControl: .averageBitRate(Int.random(in: 1000...ceiling, using: &generator)))
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    let seconds = Double.random(in: 0.1...10, using: &generator)
                    let bytesPerSecond = Double.random(in: 10_000...20_000_000, using: &generator)
                    live.dataRateLimits.append(DataRateLimit(bytes: Int(bytesPerSecond * seconds), seconds: seconds))
                }
                if Bool.random(using: &generator) { live.expectedFrameRate = rate }
                return live
            }
            var now = try Self.inForce(codec, size.0, size.1) {
                $0.bitRateCeiling = ceiling
                $0.live = live()
            }
            let duration = MediaTime(value: 1, timescale: Int32(rate.numerator))
            now = try now.beginning(at: .zero, duration: duration, isOpen: Bool.random(using: &generator))
            #expect(now.settings.plan.frameRate == rate)
            let level = try #require(now.settings.plan.level)
            for _ in 0..<5 {
                var next = now.configuration
                next.live = live()
                now = try now.asking(next)
                #expect(now.settings.plan.level == level && now.settings.plan.frameRate == rate)
                let buffer = try #require(now.settings.live.rate.buffer)
                let most = try Self.most(codec, level)
                #expect(buffer.peakBitsPerSecond <= most.rate && buffer.bits <= most.buffer)
                for limit in now.configuration.live.dataRateLimits {
                    let window = Double(buffer.peakBitsPerSecond) * limit.seconds + Double(buffer.bits)
                    #expect(window <= Double(limit.bytes) * 8)
                }
            }
        }
    }

    private static func most(_ codec: VideoCodec, _ level: Int) throws -> (rate: Int, buffer: Int) {
        switch codec {
        case .h264:
            let limits = try #require(H264Level(rawValue: level).limits)
            return (limits.bitRate * 1250, limits.codedPictureBuffer * 1250)
        case .hevc:
            let limits = try #require(HEVCLevel(rawValue: 3 * level).limits())
            return (limits.bitRate * 1000, limits.codedPictureBuffer * 1000)
        }
    }

    @Test("the level is pinned when the first frame's duration is known", arguments: [VideoCodec.h264, .hevc])
    func firstDuration(codec: VideoCodec) throws {
        for (width, height, rate, h264, hevc) in [
            (1280, 720, 60, 32, 40), (1920, 1080, 60, 42, 41), (1280, 720, 120, 42, 41),
        ] as [(Int, Int, Int32, Int, Int)] {
            let before = try Self.inForce(codec, width, height) { $0.bitRateCeiling = 4_000_000 }
            let duration = MediaTime(value: 1, timescale: rate)
            let begun = try before.beginning(at: .zero, duration: duration, isOpen: false)
            #expect(begun.settings.plan.level == (codec == .h264 ? h264 : hevc), "\(width)x\(height) at \(rate)")
        }
    }

    @Test("a ceiling pins a level that a configuration may name, and no 1b")
    func nameable() throws {
        // 1b, between 1 and 1.1, would allow 128 kbit/s.
        for ceiling in [50_000, 100_000, 190_000] {
            let level = try #require(
                try Self.inForce(.h264, 64, 48) { $0.bitRateCeiling = ceiling }.settings.plan.level)
            #expect(LevelPlanner.legalLevels(.h264).contains(level) && level == (ceiling > 64_000 * 5 / 4 ? 11 : 10))
        }
    }

    @Test("a first duration that no level allows under the ceiling is no hint", arguments: [VideoCodec.h264, .hevc])
    func impossibleDuration(codec: VideoCodec) throws {
        let before = try Self.inForce(codec, 64, 64) { $0.bitRateCeiling = 2_000_000 }
        let begun = try before.beginning(at: .zero, duration: MediaTime(value: 1, timescale: 999), isOpen: false)
        #expect(begun.settings.plan.frameRate == 30 && !begun.settings.plan.isFrameRateKnown)
        #expect(begun.settings.plan.level == before.settings.plan.level)
    }

    @Test("a level that is named must allow size, rate and bit rate; the buffer is made to fit it")
    func named() throws {
        for (codec, level, says, change) in [
            (.h264, 30, "80x45 macroblocks, with level 3.0, which allows 1620", { _ in }),
            (.hevc, 30, "allows 552960 luma samples", { _ in }),
            (.h264, 31, "60 frames per second with level 3.1, which allows 30.0", { $0.live.expectedFrameRate = 60 }),
            (.hevc, 31, "60 frames per second with level 3.1, which allows 36", { $0.live.expectedFrameRate = 60 }),
            (.h264, 31, "20000000 bit/s with a level that allows 17500000", { $0.live.averageBitRate = 20_000_000 }),
            (.hevc, 31, "11000000 bit/s with a level that allows 10000000", { $0.live.averageBitRate = 11_000_000 }),
            (.h264, 31, "ceiling of 20000000 bit/s", { $0.bitRateCeiling = 20_000_000 }),
            (.hevc, 40, "ceiling of 20000000 bit/s", { $0.bitRateCeiling = 20_000_000 }),
        ] as [(VideoCodec, Int, String, (inout SessionConfiguration) -> Void)] {
            let error = #expect(throws: EncoderError.self) {
                try Self.inForce(codec) {
                    $0.profileLevel.level = level
                    change(&$0)
                }
            }
            #expect(error?.reason.contains(says) == true, "\(error?.reason ?? "no error")")
        }
        let fitting = try Self.inForce(.h264) {
            $0.profileLevel = ProfileLevel(profile: .h264Main, level: 31)
            $0.live.averageBitRate = 10_000_000
        }
        #expect(fitting.settings.live.rate.buffer == BufferModel(peakBitsPerSecond: 10_000_000, bits: 14_000_000))
        let high = try Self.inForce(.hevc) {
            $0.profileLevel.level = 40
            $0.live.averageBitRate = 20_000_000
        }
        #expect(high.settings.live.rate.buffer?.bits == 30_000_000)
    }

    @Test(
        "no frame rate is assumed that a named level forbids; one that the first frame tells is refused with its origin"
    )
    func assumed() throws {
        // 1620 macroblocks, of which level 3.0 has 40,500 per second.
        let session = try Self.inForce(.h264, 720, 576) { $0.profileLevel.level = 30 }
        #expect(session.settings.plan.frameRate == FrameRate(numerator: 25_000, denominator: 1000))
        #expect(!session.settings.plan.isFrameRateKnown)
        let told = try session.beginning(at: .zero, duration: MediaTime(value: 1, timescale: 25), isOpen: false)
        #expect(told.settings.plan.frameRate == 25 && told.settings.plan.isFrameRateKnown)
        // What presentation times showed is no guess any more.
        let measured = session.pacing(10).reopening
        #expect(measured.settings.plan.frameRate == 10 && measured.settings.plan.isFrameRateKnown)
        let error = #expect(throws: EncoderError.self) {
            try session.beginning(at: .zero, duration: MediaTime(value: 1, timescale: 30), isOpen: false)
        }
        #expect(error?.reason.contains("as the first frame's duration tells") == true, "\(error?.reason ?? "")")
    }
}
