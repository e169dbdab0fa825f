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
            let level = try StreamLevel(settings, profile, referenceFrames: 1)
                .level(bitsPerSecond: 200_000_000, bufferBits: 2_000_000_000)
            #expect(level == (codec == .h264 ? 51 : 62))
        }
    }
}
