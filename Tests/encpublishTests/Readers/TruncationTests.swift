// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles
import TestSupport
import Testing

@testable import encpublish

/// Files that were cut, as a full disk or a crash leaves them.
@Suite struct TruncationTests {
    private static let quick = [
        "test", "--duration", "0.6", "--size", "32x32", "--frame-rate", "10", "--sound-bit-rate", "8k", "--sound-rate",
        "8000", "--set", "MaxKeyFrameInterval=3",
    ]

    /// What a reader makes of a file: its packets, and why it ended where that was before the end.
    private func packets(_ path: String) -> (packets: [ContainerPacket], error: MediaFileError?) {
        var packets: [ContainerPacket] = []
        do throws(MediaFileError) {
            let reader = try ContainerReader(InputFile(path: path), readsSound: true)
            // What comes of missing data is none of the file's.
            while let packet = try reader.next(), !packet.isDamaged { packets.append(packet) }
            return (packets, nil)
        } catch {
            return (packets, error)
        }
    }

    /// Sample frames of the sound that can be decoded.
    private func sampleFrames(_ path: String) -> Int {
        var count = 0
        do throws(MediaFileError) {
            let reader = try SoundReader(path: path)
            while let block = try reader.next() { count += block.samples.count / block.channelCount }
        } catch {
            // What comes before the cut counts.
        }
        return count
    }

    @Test(
        "each file, cut at any byte, is read up to there or refused",
        .timeLimit(.minutes(10)),
        arguments: [
            ("a.mp4", "h264"), ("mp4:b.mp4", "h264"), ("c.mov", "h264"), ("mov:d.mov", "hevc"), ("e.mkv", "h264"),
            ("f.ts", "h264"), ("g.flv", "h264"), ("h.asf", "h264"), ("annexb:i.264", "h264"), ("adts:j.aac", "h264"),
            ("k.mp4", "hevc"), ("l.mkv", "hevc"), ("m.ts", "hevc"), ("n.flv", "hevc"), ("annexb:o.265", "hevc"),
        ])
    func sampledCuts(name: String, codec: String) async throws {
        try await withTemporaryDirectory { folder in
            let parts = name.split(separator: ":")
            let path = folder.path(String(parts.last ?? ""))
            try await ExternalProgram(PublishProgram.path).run(
                Self.quick + ["--codec", codec, "--to", parts.count > 1 ? "\(parts[0]):\(path)" : path])
            let size = try folder.read(String(parts.last ?? "")).count
            let whole = packets(path)
            let wholeSound = sampleFrames(path)
            #expect(!whole.packets.isEmpty || wholeSound > 0 || name == "n.flv", "\(String(describing: whole.error))")
            for length in Sample.of(Array(0..<size), least: 250).reversed() {
                try #require(truncate(path, off_t(length)) == 0)
                let cut = packets(path)
                try #require(cut.packets.count <= whole.packets.count, "more packets than there are at \(length)")
                // At the end, what the tracks have left comes track after track, and the last may be cut itself.
                for isSound in [false, true] {
                    let track = cut.packets.filter { $0.isSound == isSound }.dropLast()
                    let isPrefix = zip(track, whole.packets.filter { $0.isSound == isSound }).allSatisfy {
                        $0.data == $1.data
                    }
                    #expect(isPrefix, "other packets at \(length) of \(size)")
                }
                #expect(sampleFrames(path) <= wholeSound, "more sound than there is at \(length)")
            }
        }
    }
}
