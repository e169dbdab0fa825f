// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite(.requiresProgram(.ffmpeg, .dec265), .requiresOpenH264Decoder) struct ReconstructionTests {
        /// What is encoded how.
        struct Case: Sendable, CustomTestStringConvertible {
            var personality: String
            var codec: VideoCodec
            var width = 176
            var height = 144
            var format = PixelFormat.nv12
            var control = "cqp"
            var allowsReordering = true
            var isRealTime = false
            /// Native options, with colons between.
            var options = ""

            /// Whether the driver that is imitated has B pictures, and the session allows them.
            var hasB: Bool {
                let withoutB: [(String, VideoCodec)] = [
                    ("ihd-tgl", .h264), ("ihd-kbl-nohuc", .h264), ("radeonsi-old", .h264), ("radeonsi-old", .hevc),
                    ("radeonsi-new", .hevc),
                ]
                return allowsReordering && !isRealTime && !withoutB.contains { $0 == (personality, codec) }
                    && !options.contains("bframes=0")
            }

            var testDescription: String {
                "\(personality) \(codec) \(width)x\(height) \(format) \(control)\(allowsReordering ? "" : " in order") \(options)"
            }

            /// The driver with the codec, what keeps the rate, and what pictures and their order are.
            var labels: [String] {
                [
                    "\(personality) \(codec)", "\(control) \(codec)", "\(format) \(codec)",
                    width % 2 == 1 ? "odd size" : width < 100 ? "small" : "usual size",
                    "\(codec) in order \(!allowsReordering) live \(isRealTime)", "\(codec) \(options)",
                ]
            }

            var configuration: SessionConfiguration {
                var configuration = DeviceEncoding.configuration(codec, width: width, height: height, format: format)
                if !allowsReordering { configuration.allowFrameReordering = false }
                configuration.realTime = isRealTime
                configuration.nativeOptions = options.split(separator: ":").map { option in
                    let sides = option.split(separator: "=").map(String.init)
                    return NativeOption(sides[0], sides.count > 1 ? sides[1] : nil)
                }
                switch control {
                case "cqp": configuration.live.constantQuantizer = 30
                case "average": configuration.live.averageBitRate = 400_000
                case "limited":
                    configuration.live.averageBitRate = 400_000
                    configuration.live.dataRateLimits = [DataRateLimit(bytes: 60_000, seconds: 1)]
                case "quality": configuration.live.quality = 0.4
                default: break
                }
                return configuration
            }
        }

        private static let cases: [Case] =
            [
                ("strict", .h264), ("strict", .hevc), ("ihd-tgl", .h264), ("ihd-tgl", .hevc), ("ihd-mtl", .hevc),
                ("ihd-kbl-nohuc", .h264), ("radeonsi-old", .h264), ("radeonsi-old", .hevc), ("radeonsi-new", .h264),
                ("radeonsi-new", .hevc), ("i965", .h264),
            ].flatMap { (personality: String, codec: VideoCodec) -> [Case] in
                let plain = Case(personality: personality, codec: codec)
                var cases = [plain, plain]
                cases[1].allowsReordering = false
                (cases[1].width, cases[1].height) = (130, 98)
                if personality != "ihd-kbl-nohuc" {
                    for control in ["average", "limited", "quality", "none"] {
                        cases.append(plain)
                        cases[cases.count - 1].control = control
                    }
                    cases[3].isRealTime = true
                }
                return cases
            }
            + ["strict", "ihd-tgl"].flatMap { personality in
                [
                    Case(personality: personality, codec: .hevc, format: .p010),
                    Case(
                        personality: personality, codec: .hevc, width: 98, height: 66, format: .p010, control: "average"
                    ),
                ]
            }
            + [
                Case(personality: "strict", codec: .h264, width: 175, height: 143),
                Case(personality: "strict", codec: .hevc, width: 175, height: 143),
                Case(personality: "strict", codec: .h264, format: .i420),
                Case(personality: "ihd-tgl", codec: .h264, width: 32, height: 32),
            ]
            + [
                ("strict", "ref=4"), ("strict", "bframes=1"), ("strict", "bframes=3"), ("strict", "bframes=0:ref=4"),
                ("strict", "bframes=2:b-pyramid"), ("strict", "bframes=3:b-pyramid:ref=1"),
                ("strict", "bframes=4:b-pyramid:slices=2:aud"), ("strict", "slices=3:quality-level=1"),
                ("strict", "roi=0,0,96,80,-9/80,64,96,80,8"), ("ihd-tgl", "roi=40,40,100,100,-20:bframes=0"),
                ("ihd-tgl", "ref=1:slices=2:aud"), ("ihd-tgl", "ref=2:quality-level=7"),
                ("radeonsi-new", "slices=3:aud:quality-level=1"),
            ].flatMap { personality, options in
                [VideoCodec.h264, .hevc].map { codec in
                    // Three rows of tree blocks.
                    Case(personality: personality, codec: codec, width: 208, height: 176, options: options)
                }
            }
            + [
                Case(personality: "ihd-tgl", codec: .hevc, options: "bframes=3:b-pyramid:ref=3"),
                Case(personality: "i965", codec: .h264, options: "bframes=3:b-pyramid:ref=4:slices=4"),
                Case(personality: "strict", codec: .h264, control: "limited", options: "slice-max-size=520"),
                Case(personality: "ihd-tgl", codec: .h264, options: "slice-max-size=700:aud"),
                Case(personality: "radeonsi-old", codec: .hevc, width: 208, height: 176, options: "slices=2"),
                Case(personality: "radeonsi-old", codec: .h264, width: 208, height: 176, options: "slices=4"),
            ]

        @Test(
            "what decoders show is what the driver reconstructed, and the driver has nothing to object",
            arguments: Sample.of(cases, labels: \.labels))
        func sampledReconstructions(_ test: Case) async throws {
            let result = try await DeviceEncoding(personality: test.personality, configuration: test.configuration)
                .run()
            #expect(result.error == nil)
            #expect(result.frames.count == 12 && result.frames.allSatisfy { $0.accessUnit != nil })
            // A picture that was tried out comes first.
            let expected = Array(result.reconstructions.suffix(12).joined())
            #expect(try await shownByFFmpeg(result.stream, test.codec, test.format) == expected)
            #expect(result.types.contains(.b) == test.hasB)
            switch test.codec {
            case .hevc: #expect(try await shownByLibde265(result.stream) == expected)
            // The second decoder of H.264 reads no B pictures.
            case .h264 where !test.hasB: #expect(OpenH264Decoder.shown(result.stream) == expected)
            case .h264: break
            }
        }

        private func shownByFFmpeg(
            _ stream: [UInt8], _ codec: VideoCodec, _ format: PixelFormat
        ) async throws -> [UInt8] {
            let output = try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "warning", "-xerror", "-err_detect", "explode", "-f", codec.rawValue, "-i", "-",
                    "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
                    format.bitDepth > 8 ? "yuv420p10le" : "yuv420p", "-",
                ], input: stream)
            #expect(output.standardError == "")
            return output.standardOutput
        }

        private func shownByLibde265(_ stream: [UInt8]) async throws -> [UInt8] {
            try await withTemporaryDirectory { folder in
                let path = try folder.write(stream, to: "stream.hevc")
                try await ExternalProgram.dec265.run(["-q", "-o", folder.path("shown.yuv"), path])
                return try folder.read("shown.yuv")
            }
        }
    }
}
