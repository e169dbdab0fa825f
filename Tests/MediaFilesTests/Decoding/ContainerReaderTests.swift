// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite struct ContainerReaderTests {
    /// Lines of ffprobe's packets: pts, dts, duration, size, pos, flags.
    private func reference(_ path: String) async throws -> [[String]] {
        let output = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts,dts,duration,size,pos,flags", "-of",
            "csv=p=0", path,
        ])
        return output.text.split(separator: "\n").map { line in line.split(separator: ",").map { String($0) } }
    }

    @Test(
        "packets are ffprobe's", .requiresMedia("containers"), .requiresProgram(.ffprobe),
        arguments: [
            ("androidx_h265_bframes.mp4", VideoCodec.hevc, true), ("srs_bbb.flv", .h264, true),
            ("fate_h264small.ts", .h264, false), ("dovi_regular.mkv", .hevc, true),
            ("androidx_sample_2_byte_NAL_length.mp4", .h264, true),
        ])
    func oracle(name: String, codec: VideoCodec, isLengthPrefixed: Bool) async throws {
        let path = try TestMedia.path("containers/\(name)")
        let reader = try ContainerReader(path: path)
        #expect(reader.codec == codec)
        #expect(reader.isLengthPrefixed == isLengthPrefixed)
        #expect(!reader.configurationRecord.isEmpty)
        var lines: [[String]] = []
        func text<Number: BinaryInteger>(_ number: Number?) -> String { number.map { "\($0)" } ?? "N/A" }
        while let packet = try reader.next() {
            lines.append([
                text(packet.presentationTime?.value), text(packet.decodeTime?.value), text(packet.duration?.value),
                "\(packet.data.count)", text(packet.byteOffset), packet.isKey ? "K_" : "__",
            ])
        }
        #expect(lines == (try await reference(path)))
    }

    @Test("a codec that no session produces is named", .requiresMedia("clips/webcam_cif_60f.mkv"))
    func otherCodec() throws {
        let reader = try ContainerReader(path: try TestMedia.path("clips/webcam_cif_60f.mkv"))
        #expect(reader.codec == nil)
        #expect(reader.codecName == "ffv1")
        #expect(reader.width == 352)
        #expect(reader.height == 288)
    }
}
