// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    /// Drivers that know no deadline: i965 without `vaSyncBuffer`, Mesa 22.3 with one that knows 0 and infinity.
    @Suite struct WaitingTests {
        @Test(
            "a driver without deadlines encodes each picture, in the rate mode that was asked for",
            arguments: [
                ("i965", VideoCodec.h264, nil), ("i965", .h264, 400_000), ("radeonsi-old", .hevc, nil),
                ("radeonsi-old", .hevc, 400_000), ("radeonsi-old", .h264, nil), ("radeonsi-old", .h264, 400_000),
            ] as [(String, VideoCodec, Int?)])
        func without(personality: String, codec: VideoCodec, averageBitRate: Int?) async throws {
            var encoding = DeviceEncoding(
                personality: personality, configuration: DeviceEncoding.configuration(codec, width: 128, height: 96),
                count: 30)
            encoding.configuration.live.averageBitRate = averageBitRate
            if averageBitRate == nil { encoding.configuration.live.constantQuantizer = 32 }
            let result = try await encoding.run()
            #expect(result.error == nil)
            #expect(result.frames.count == 30 && result.frames.allSatisfy { $0.accessUnit != nil })
            #expect(!result.adjustments.contains { $0.setting == .averageBitRate }, "\(result.adjustments)")
        }

        @Test("what fails with such a driver costs pictures that are reported, and the stream goes on")
        func failures() async throws {
            var encoding = DeviceEncoding(
                personality: "i965", configuration: DeviceEncoding.configuration(.h264, width: 128, height: 96),
                count: 20)
            encoding.configuration.live.constantQuantizer = 32
            // Every other call asks for vaSyncBuffer, which is not counted.
            encoding.faults = "sync:5=operation_failed,code:9=size0"
            let result = try await encoding.run()
            #expect(result.error == nil)
            #expect(result.frames.map(\.presentationTime.value).sorted() == (0..<20).map { Int64($0) })
            #expect(result.frames.contains { $0.dropReason != nil })
            #expect(result.frames.count { $0.accessUnit != nil } >= 8)
        }

        @Test("a first picture that does not come out ends the opening, whatever other modes there are", .inTurn())
        func late() async throws {
            let display = try SoftVADisplay("radeonsi-old", faults: "code:1=+3000ms")
            var configuration = DeviceEncoding.configuration(.hevc, width: 128, height: 96)
            configuration.live.averageBitRate = 400_000
            let backend = VAAPIBackend(devices: [display.device])
            let encoder = try await backend.encoder(for: .hevc)
            let session = try CompressionSession(configuration, encoder: encoder, of: backend)
            let clip = DeviceEncoding.clip(configuration, count: 1)
            let error = await #expect(throws: EncoderError.self) {
                try await session.encode(clip.pixelBuffer(0, format: .nv12), at: MediaTime(value: 0, timescale: 30))
                try await session.finish()
            }
            #expect(error?.code == .deviceLost)
            let late = "a first picture was not coded within 1.0 seconds, and vaSyncSurface does not return"
            #expect(error?.reason.hasSuffix(late) == true, "\(String(describing: error))")
            session.invalidate()
            display.expectQuiet()
        }

        @Test(
            "a session that ends while the driver waits leaves the picture's memory to it until it comes back",
            .inTurn())
        func left() async throws {
            for (personality, codec) in [("i965", VideoCodec.h264), ("radeonsi-old", .hevc)] {
                let display = try SoftVADisplay(personality, faults: "code:4+=+600ms")
                try await Self.leave(display.device, codec)
                display.expectQuiet()
            }
        }

        /// Ends a session whose driver has a picture.
        private static func leave(_ device: VADevice, _ codec: VideoCodec) async throws {
            var configuration = DeviceEncoding.configuration(codec, width: 128, height: 96)
            configuration.live.constantQuantizer = 32
            let backend = VAAPIBackend(devices: [device])
            let encoder = try await backend.encoder(for: codec)
            let session = try CompressionSession(configuration, encoder: encoder, of: backend)
            let clip = DeviceEncoding.clip(configuration, count: 6)
            var frames = session.encodedFrames.makeAsyncIterator()
            for index in 0..<6 {
                try await session.encode(
                    clip.pixelBuffer(index, format: .nv12), at: MediaTime(value: Int64(index), timescale: 30))
            }
            #expect(try await frames.next()?.presentationTime.value == 0)
            session.invalidate()
        }
    }
}
