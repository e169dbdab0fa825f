// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    /// Streams whose headers are the driver's, as those of Mesa 22.3 are.
    @Suite(.requiresProgram(.ffmpeg)) struct DriverHeaderTests {
        @Test(
            "quantizers are those that are asked for though the driver looks at those of pictures alone",
            arguments: VideoCodec.allCases)
        func quantizers(codec: VideoCodec) async throws {
            var configuration = DeviceEncoding.configuration(codec)
            configuration.live.constantQuantizer = 34
            configuration.live.maxKeyFrameInterval = 5
            let result = try await DeviceEncoding(
                personality: "radeonsi-old", configuration: configuration, count: 10
            ).run()
            #expect(result.error == nil && result.frames.count == 10)
            let told = try await fields(of: result.stream, codec)
            let start = try #require(told.first { $0.name.hasSuffix("init_qp_minus26") }).value + 26
            let quantizers = told.filter { $0.name == "slice_qp_delta" }.map { start + $0.value }
            #expect(quantizers == [31, 34, 34, 34, 34, 31, 34, 34, 34, 34])
        }

        @Test("what the driver counts in stays within a SPS, whatever the interval", arguments: VideoCodec.allCases)
        func intervals(codec: VideoCodec) async throws {
            for (interval, bits) in [(1, 5), (250, codec == .hevc ? 9 : 5), (1 << 20, codec == .hevc ? 16 : 5)] {
                var configuration = DeviceEncoding.configuration(codec)
                configuration.live.constantQuantizer = 34
                configuration.live.maxKeyFrameInterval = interval
                let result = try await DeviceEncoding(
                    personality: "radeonsi-old", configuration: configuration, count: 3
                ).run()
                #expect(result.error == nil && result.frames.count == 3)
                let told = try await fields(of: result.stream, codec)
                let name = codec == .hevc ? "log2_max_pic_order_cnt_lsb_minus4" : "log2_max_frame_num_minus4"
                #expect(told.first { $0.name == name }?.value == bits - 4, "an interval of \(interval)")
            }
        }

        @Test("the session's parameter sets are the stream's", arguments: VideoCodec.allCases)
        func parameterSets(codec: VideoCodec) async throws {
            var configuration = DeviceEncoding.configuration(codec, width: 130, height: 98)
            configuration.live.constantQuantizer = 34
            let inBand = try await DeviceEncoding(personality: "radeonsi-old", configuration: configuration).run()
            configuration.framing = .lengthPrefixed()
            configuration.parameterSets = .outOfBand
            let apart = try await DeviceEncoding(personality: "radeonsi-old", configuration: configuration).run()
            let format = try #require(apart.frames.first?.accessUnit?.format)
            #expect(format.parameterSets.count == (codec == .hevc ? 3 : 2))
            for set in format.parameterSets {
                let unit = [0, 0, 1] + set
                let isThere = inBand.stream.indices.contains { inBand.stream[$0...].starts(with: unit) }
                #expect(isThere, "the stream has no \(set)")
            }
        }

        /// The syntax elements of a stream as FFmpeg reads them.
        private func fields(of stream: [UInt8], _ codec: VideoCodec) async throws -> [(name: Substring, value: Int)] {
            let output = try await ExternalProgram.ffmpeg.run(
                ["-f", codec.rawValue, "-i", "-", "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"],
                input: stream)
            // For example: [trace_headers @ 0x55] 24          slice_qp_delta          00110 = 3
            return output.standardError.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard line.hasPrefix("[trace_headers"), words.count == 8, words[6] == "=" else { return nil }
                return Int(words[7]).map { (words[4], $0) }
            }
        }
    }
}
