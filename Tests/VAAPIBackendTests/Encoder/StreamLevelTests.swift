// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct StreamLevelTests {
        @Test("a bit rate beyond all levels is refused by name, and the session that had another goes on")
        func liveRate() async throws {
            var encoding = DeviceEncoding(configuration: DeviceEncoding.configuration(.hevc, width: 96, height: 80))
            encoding.configuration.live.averageBitRate = 200_000
            encoding.changes[6] = { session in
                let error = await #expect(throws: EncoderError.self) {
                    try await session.update { $0.averageBitRate = 1_000_000_000 }
                }
                #expect(error?.code == .invalidValue && error?.endsSession == false)
                #expect(error?.reason.contains("1000000000 bit/s") == true)
            }
            let result = try await encoding.run()
            #expect(result.error == nil && result.frames.allSatisfy { $0.accessUnit != nil })
        }

        @Test("a buffer that no level has does not keep a rate from being served", arguments: [VideoCodec.h264, .hevc])
        func largeBuffer(codec: VideoCodec) throws {
            // Without limits the buffer holds two and a half seconds.
            var settings = ResolvedSettings(codec: codec, width: 1920, height: 1080)
            settings.live.rate = .init(
                .averageBitRate(200_000_000), buffer: BufferModel(peakBitsPerSecond: 200_000_000, bits: 2_000_000_000))
            try StreamLevel.check(settings)
            let profile: Profile = codec == .h264 ? .h264High : .hevcMain
            let choice = try StreamLevel(settings, profile, referenceFrames: 1)
                .choice(bitsPerSecond: 200_000_000, bufferBits: 2_000_000_000)
            #expect(choice == StreamLevel.Choice(level: codec == .h264 ? 51 : 62))
        }

        /// Table A.9: level 4 has 12 Mbit/s and 30, level 6.2 240 and 800.
        @Test(
            "HEVC takes the High tier only where the bit rate needs it",
            arguments: [
                (nil, 12_000_000, 40, false), (nil, 16_000_000, 41, false), (nil, 300_000_000, 61, true),
                (40, 12_000_000, 40, false), (40, 12_000_001, 40, true),
            ] as [(Int?, Int, Int, Bool)])
        func tier(named: Int?, bitsPerSecond: Int, level: Int, isHighTier: Bool) throws {
            var settings = ResolvedSettings(codec: .hevc, width: 1920, height: 1080)
            settings.plan.level = named
            let choice = try StreamLevel(settings, .hevcMain, referenceFrames: 1)
                .choice(bitsPerSecond: bitsPerSecond, bufferBits: 0)
            #expect(choice == StreamLevel.Choice(level: level, isHighTier: isHighTier))
        }

        @Test("a stream says its tier, and changes it with the bit rate")
        func liveTier() async throws {
            var encoding = DeviceEncoding(configuration: DeviceEncoding.configuration(.hevc, width: 96, height: 80))
            encoding.configuration.profileLevel = ProfileLevel(level: 40)
            encoding.configuration.live.averageBitRate = 1_000_000
            encoding.changes[6] = { session in
                let outcome = try await session.update { $0.averageBitRate = 16_000_000 }
                #expect(outcome == .restarted(formatMayChange: true))
            }
            let result = try await encoding.run()
            let formats = result.frames.compactMap { $0.accessUnit?.format }
            #expect(formats.map { $0.codecString.contains(".H120") } == formats.indices.map { $0 >= 6 })
        }
    }
}
