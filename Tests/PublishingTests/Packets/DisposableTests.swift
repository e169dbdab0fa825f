// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import RecordedStreams
import TestSupport
import Testing

@testable import Publishing

@Suite struct DisposableTests {
    /// Whether the pictures of a stream that an encoder made are disposable, in the order of decoding.
    private func disposable(
        _ codec: VideoCodec, _ options: [String], in folder: TemporaryDirectory
    ) async throws -> (answers: [Bool], path: String) {
        let path = folder.path("a.mp4")
        try await ExternalProgram.ffmpeg.run(
            ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30", "-t", "1", "-pix_fmt", "yuv420p"]
                + options + ["-g", "30", path])
        let stream = try RecordedStream.pictures(path, codec)
        let answers = try stream.map { packet in
            try #require(packet.format.video).isDisposable(packet.data, nalUnits: packet.nalUnits)
        }
        return (answers, path)
    }

    @Test(
        "pictures of an encoder that nothing is predicted from can be left out, and no decoder misses them",
        .requiresProgram(.ffmpeg, .ffprobe),
        arguments: [
            (VideoCodec.h264, ["-c:v", "libx264", "-bf", "3", "-x264-params", "b-pyramid=none"]),
            (.h264, ["-c:v", "libx264", "-bf", "3", "-x264-params", "b-pyramid=normal"]),
            (.hevc, ["-c:v", "libx265", "-bf", "3", "-x265-params", "log-level=error:b-pyramid=1"]),
            (.hevc, ["-c:v", "libx265", "-bf", "3", "-x265-params", "log-level=error:temporal-layers=1"]),
        ])
    func encoded(codec: VideoCodec, options: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let (answers, path) = try await disposable(codec, options, in: folder)
            #expect(answers.contains(true) && answers.contains(false) && answers.first == false)
            // The rest decodes to the same pictures as the whole.
            let all = try await pictures(path, in: folder)
            let reader = try ContainerReader(path: path)
            let record = reader.configurationRecord
            var bytes = AnnexB.join(
                codec == .h264
                    ? try AVCDecoderConfiguration(bytes: record).sequenceParameterSets
                        + AVCDecoderConfiguration(bytes: record).pictureParameterSets
                    : try HEVCDecoderConfiguration(bytes: record).arrays.flatMap(\.nalUnits))
            for answer in answers {
                let packet = try #require(try reader.next())
                guard !answer else { continue }
                let units = try LengthPrefixed.nalUnitRanges(in: packet.data, lengthSize: 4)
                bytes += AnnexB.join(units.map { packet.data[$0] })
            }
            let kept = try await pictures(
                folder.write(bytes, to: codec == .h264 ? "kept.h264" : "kept.hevc"), in: folder)
            #expect(kept.count == answers.count { !$0 })
            #expect(Set(kept).isSubset(of: Set(all)))
        }
    }

    /// The checksums of a file's decoded pictures; an error of the decoder fails the test.
    private func pictures(_ path: String, in folder: TemporaryDirectory) async throws -> [Substring] {
        let output = try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-xerror", "-i", path, "-map", "0:v", "-vsync", "passthrough", "-f", "framemd5", "-",
        ])
        return output.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            line.split(separator: " ").last
        }
    }

    @Test("a picture of HEVC is disposable in the highest sub-layer only, and with all its slices")
    func headers() {
        //  forbidden_zero_bit u(1), nal_unit_type u(6), nuh_layer_id u(6), nuh_temporal_id_plus1 u(3)
        func isDisposable(_ types: [UInt8], temporalID: UInt8, highest: Int?) -> Bool {
            let data: [UInt8] = types.flatMap { [$0 << 1, temporalID + 1, 0x80] }
            let units = types.indices.map { $0 * 3..<$0 * 3 + 3 }
            return VideoCodec.hevc.isDisposable(data.span, nalUnits: units, highestTemporalID: highest)
        }
        #expect(isDisposable([0], temporalID: 0, highest: 0))
        #expect(isDisposable([2], temporalID: 1, highest: 1))
        #expect(isDisposable([39, 8, 8], temporalID: 0, highest: 0))
        #expect(!isDisposable([0], temporalID: 0, highest: 1))
        #expect(!isDisposable([0], temporalID: 0, highest: nil))
        for types in [[1], [0, 1], [19], [39], []] as [[UInt8]] {
            #expect(!isDisposable(types, temporalID: 0, highest: 0))
        }
    }
}
