// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    /// The native option `roi`: decoders show pictures that are better inside a region, and worse in another.
    @Suite(.requiresProgram(.ffmpeg)) struct RegionTests {
        /// An encoder of softva's, and how its rate is kept.
        struct Row: Sendable, CustomTestStringConvertible {
            var personality: String
            var codec: VideoCodec
            var isConstant: Bool
            var testDescription: String { "\(personality) \(codec) \(isConstant ? "qp" : "average")" }

            static let all = [
                ("strict", VideoCodec.h264), ("strict", .hevc), ("ihd-tgl", .h264), ("ihd-tgl", .hevc),
                ("radeonsi-new", .hevc),
            ].flatMap { personality, codec in
                [true, false].map { Row(personality: personality, codec: codec, isConstant: $0) }
            }
        }

        private static let width = 256
        private static let height = 128

        @Test("quantizers differ where they are asked to, and nowhere else", .inTurn(), arguments: Row.all)
        func regions(row: Row) async throws {
            let plain = try await shown(row, regions: nil)
            let better = try await shown(row, regions: "0,0,128,128,-14")
            let both = try await shown(row, regions: "0,0,128,128,-14/0,0,256,128,8")
            if row.isConstant {
                // Blocks that only refer to others change with them: 8 levels are far more than that.
                #expect(better.left < plain.left / 3, "\(better) after \(plain)")
                #expect(both.left < plain.left / 3 && both.right > plain.right * 1.5, "\(both) after \(plain)")
            } else {
                #expect(better.left * 2 < better.right * plain.left / plain.right, "\(better) after \(plain)")
            }
        }

        /// What is refused, and a part of the words.
        private static let refusals: [(personality: String, codec: VideoCodec, value: String, part: String)] = [
            ("strict", .h264, "0,0,64,64", "X,Y,WIDTH,HEIGHT,DELTA"), ("strict", .h264, "0,0,64,64,-52", "-51...51"),
            ("strict", .h264, "", "X,Y,WIDTH,HEIGHT,DELTA"), ("strict", .h264, "200,0,57,64,-4", "256x128"),
            ("strict", .hevc, "0,128,1,1,-4", "256x128"), ("strict", .hevc, "0,0,0,64,-4", "256x128"),
            ("strict", .h264, "0,0,9223372036854775807,1,1", "256x128"),
            ("radeonsi-old", .h264, "0,0,64,64,-4", "no regions"), ("i965", .h264, "0,0,64,64,-4", "no regions"),
            ("strict", .h264, Array(repeating: "0,0,16,16,1", count: 17).joined(separator: "/"), "16 regions"),
        ]

        @Test("what is no region, or more than a driver has, is refused by name", arguments: refusals.indices)
        func refused(index: Int) async throws {
            let (personality, codec, value, part) = Self.refusals[index]
            let display = try SoftVADisplay(personality)
            let backend = VAAPIBackend(devices: [display.device])
            let encoder = try await backend.encoder(for: codec)
            let error = await #expect(throws: EncoderError.self) {
                let session = try CompressionSession(
                    Self.configuration(codec, regions: value), encoder: encoder, of: backend)
                defer { session.invalidate() }
                try await session.prepare()
            }
            #expect(error?.setting == .nativeOptions && error?.reason.contains("\"roi\"") == true)
            #expect(error?.reason.contains(part) == true, "\(String(describing: error))")
            display.expectQuiet()
        }

        private static func configuration(_ codec: VideoCodec, regions: String?) -> SessionConfiguration {
            var configuration = DeviceEncoding.configuration(codec, width: width, height: height)
            configuration.live.constantQuantizer = 34
            if let regions { configuration.nativeOptions = [NativeOption("roi", regions)] }
            return configuration
        }

        /// The mean squared errors of the left and right half of what FFmpeg's decoder shows.
        private func shown(_ row: Row, regions: String?) async throws -> (left: Double, right: Double) {
            var configuration = Self.configuration(row.codec, regions: regions)
            if !row.isConstant {
                configuration.live.constantQuantizer = nil
                configuration.live.averageBitRate = 500_000
            }
            let result = try await DeviceEncoding(personality: row.personality, configuration: configuration).run()
            #expect(result.error == nil)
            let output = try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "warning", "-xerror", "-err_detect", "explode", "-f", row.codec.rawValue, "-i", "-",
                    "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
                ], input: result.stream)
            #expect(output.standardError == "")
            let size = Self.width * Self.height * 3 / 2
            let clip = DeviceEncoding.clip(configuration, count: 12)
            try #require(output.standardOutput.count == 12 * size)
            var errors = [0.0, 0.0]
            for (index, frame) in clip.frames.enumerated() {
                for place in 0..<Self.width * Self.height {
                    let difference = Int(frame[place]) - Int(output.standardOutput[index * size + place])
                    errors[place % Self.width * 2 / Self.width] += Double(difference * difference)
                }
            }
            return (errors[0], errors[1])
        }
    }
}
