// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import TestSupport
import Testing

@Suite struct StreamDecoderTests {
    /// The access units of a file, and a decoder for them.
    private func open(_ path: String) throws -> (StreamDecoder, [ContainerPacket]) {
        let reader = try ContainerReader(path: path)
        let codec = try #require(reader.codec)
        var packets: [ContainerPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return (try StreamDecoder(codec: codec, configurationRecord: reader.configurationRecord), packets)
    }

    private func decode(_ decoder: StreamDecoder, _ packets: [ContainerPacket]) throws -> [DecodedPicture] {
        var pictures: [DecodedPicture] = []
        for (index, packet) in packets.enumerated() {
            pictures += try decoder.decode(
                packet.data, presentationTime: packet.presentationTime ?? MediaTime(value: Int64(index), timescale: 1))
        }
        return try pictures + decoder.finish()
    }

    @Test(
        "streams of both codecs decode to FFmpeg's pictures", .requiresMedia("streams", "containers"),
        .requiresProgram(.ffmpeg),
        arguments: [
            "streams/h264/fer_test.264", "streams/h264/goh264_high10_b_deblock_cavlc.h264",
            "streams/h264/cros_test_data_64x64-I-P-B-P.h264", "streams/hevc/gen2brain_10bit_128x128.h265",
            "streams/hevc/membrane_input-300-98x58-conformance-window.h265", "streams/hevc/hdr10p_ToS-s60.h265",
            "containers/androidx_h265_bframes.mp4", "containers/bento4_video-h264-001.mp4",
            "containers/fate_h264small.ts",
        ])
    func oracle(name: String) async throws {
        let path = try TestMedia.path(name)
        let (decoder, packets) = try open(path)
        let pictures = try decode(decoder, packets)
        let reference = try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-i", path, "-map", "0:v:0", "-vsync", "passthrough", "-f", "rawvideo", "-",
        ])
        #expect(Samples(of: pictures.map(\.picture)) == Samples(reference.standardOutput))
        #expect(pictures.allSatisfy { !$0.isDamaged })
    }

    @Test(
        "pictures come back once each, in display order, with their access unit's time and number",
        .requiresProgram(.ffmpeg), arguments: [("libx264", "h264"), ("libx265", "hevc")])
    func reordering(encoder: (String, String)) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("clip.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=96x64:rate=25", "-frames:v", "50", "-pix_fmt",
                "yuv420p", "-c:v", encoder.0, "-bf", "3", "-g", "20", path,
            ])
            let (decoder, packets) = try open(path)
            #expect(packets.count == 50)
            let pictures = try decode(decoder, packets)
            #expect(pictures.map(\.presentationTime) == packets.compactMap(\.presentationTime).sorted())
            #expect(pictures.allSatisfy { packets[$0.decodeIndex].presentationTime == $0.presentationTime })
            #expect(Set(pictures.map(\.decodeIndex)) == Set(0..<50))
            #expect(pictures.first?.isKey == true)
            #expect(pictures.contains { $0.pictureType == .b })
            // Annex B without a record gives the same pictures.
            let codec = try #require(VideoCodec(rawValue: encoder.1))
            let reader = try ContainerReader(path: path)
            let annexB = try StreamDecoder(codec: codec)
            let clip = EncodedClip(
                codec: codec, record: reader.configurationRecord, packets: packets, width: 96, height: 64)
            let sets = AnnexB.join(clip.parameterSets)
            var converted = packets
            for index in converted.indices {
                let data = try AnnexB.fromLengthPrefixed(packets[index].data, lengthSize: 4)
                converted[index].data = index == 0 ? sets + data : data
            }
            let again = try decode(annexB, converted)
            #expect(Samples(of: again.map(\.picture)) == Samples(of: pictures.map(\.picture)))
        }
    }

    @Test("bytes that are no access unit are a typed error, and decoding goes on", .requiresProgram(.ffmpeg))
    func corrupt() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("clip.264")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "5", "-pix_fmt", "yuv420p",
                "-c:v", "libx264", "-g", "1", path,
            ])
            let (decoder, packets) = try open(path)
            let error = #expect(throws: MediaFileError.self) {
                try decoder.decode(
                    [0, 0, 0, 1, 0x65, 0xFF, 0xFF], presentationTime: MediaTime(value: -1, timescale: 1))
            }
            #expect(error?.code == .corrupt)
            #expect(error?.reason.contains("access unit 0") == true)
            #expect(try decode(decoder, packets).count == 5)
            #expect(throws: MediaFileError.self) { try decoder.decode(packets[0].data, presentationTime: .zero) }
        }
    }

    // Damage of the seed given makes slices of one access unit look like those of two pictures.
    @Test(
        "random damage gives pictures or typed errors", .requiresMedia("containers"),
        arguments: [("mp4", nil), ("mp4", 5016), ("hevc", nil)] as [(String, UInt64?)])
    func random(kind: String, seed: UInt64?) throws {
        var generator = SeededGenerator(seed: seed)
        let name = kind == "mp4" ? "bento4_video-h264-001.mp4" : "androidx_h265_bframes.mp4"
        let path = try TestMedia.path("containers/\(name)")
        for _ in 0..<10 {
            let (decoder, packets) = try open(path)
            var count = 0
            for packet in packets {
                var data = packet.data
                if Bool.random(using: &generator) {
                    data[Int.random(in: data.indices, using: &generator)] ^=
                        1 << Int.random(in: 0...7, using: &generator)
                }
                if Int.random(in: 0..<20, using: &generator) == 0 { data = Array(data.prefix(data.count / 2)) }
                do throws(MediaFileError) {
                    count += try decoder.decode(data, presentationTime: .zero).count
                } catch {
                    #expect(error.code == .corrupt || error.code == .unsupported, "\(error)")
                }
            }
            #expect(count <= packets.count)
        }
    }
}
