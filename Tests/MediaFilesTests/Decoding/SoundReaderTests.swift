// SPDX-License-Identifier: MIT

import EncoderAPI
@testable import MediaFiles
import TestSupport
import Testing

@Suite struct SoundReaderTests {
    private func samples(_ reader: SoundReader) throws -> (blocks: [SoundReader.Block], left: [Float]) {
        var blocks: [SoundReader.Block] = []
        while let block = try reader.next() { blocks.append(block) }
        let left = blocks.flatMap { block in
            stride(from: 0, to: block.samples.count, by: block.channelCount).map { block.samples[$0] }
        }
        return (blocks, left)
    }

    @Test(
        "coded sound of any file is decoded, at the file's times", .requiresProgram(.ffmpeg),
        arguments: [
            ("a.wav", "pcm_s16le", 2), ("a.wav", "pcm_s24le", 1), ("a.mkv", "pcm_f64le", 2), ("a.mkv", "flac", 2),
            ("a.mp3", "libmp3lame", 2), ("a.m4a", "aac", 2), ("a.ac3", "ac3", 6), ("a.wav", "pcm_u8", 1),
            ("a.ogg", "libopus", 2), ("a.mkv", "flac", 8),
        ])
    func decodes(name: String, codec: String, channels: Int) async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "sine=f=1000:r=48000:d=1", "-af", "volume=6", "-ac", "\(channels)",
                "-c:a", codec, folder.path(name),
            ])
            let (blocks, left) = try samples(SoundReader(path: folder.path(name)))
            #expect(blocks.allSatisfy { $0.sampleRate == 48_000 && $0.channelCount == min(channels, 2) })
            #expect((48_000 - 2000...48_000 + 4000).contains(left.count), "\(left.count)")
            // A sine of amplitude 0.75: its mean square, well inside, says how loud it is.
            let inside = left[10_000..<38_000]
            let energy: Float = inside.map { $0 * $0 }.reduce(0, +)
            let loudness = (energy / Float(inside.count)).squareRoot()
            #expect(loudness > 0.05 && loudness < 0.6, "\(loudness)")
            let times = blocks.compactMap(\.time)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            if let first = times.first { #expect(abs(first.seconds) < 0.06) }
        }
    }

    @Test("a file without sound is refused, and one that was cut gives what comes before", .requiresProgram(.ffmpeg))
    func refusals() async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=1", "-f", "lavfi", "-i", "sine=d=2",
                "-map", "0:v", folder.path("v.mkv"), "-map", "1:a", "-c:a", "flac", folder.path("a.mka"),
            ])
            let error = #expect(throws: MediaFileError.self) { try SoundReader(path: folder.path("v.mkv")) }
            #expect(error?.code == .unsupported && error?.reason.contains("no sound") == true)
            #expect(throws: MediaFileError.self) { try SoundReader(path: folder.path("gone")) }
            let whole = try folder.read("a.mka")
            try folder.write(whole.prefix(whole.count / 2), to: "cut.mka")
            let reader = try SoundReader(path: folder.path("cut.mka"))
            var blocks = 0
            let cut = #expect(throws: MediaFileError.self) {
                while try reader.next() != nil { blocks += 1 }
            }
            #expect(blocks > 0 && [.truncated, .corrupt].contains(cut?.code), "\(String(describing: cut))")
            #expect(throws: MediaFileError.self) { try reader.next() }
        }
    }
}
