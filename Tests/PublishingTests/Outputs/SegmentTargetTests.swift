// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import Publishing

@Suite struct SegmentTargetTests {
    /// A stream of a key frame each half second, whose pictures have another size after each `run` of them.
    private func packets(_ count: Int64, run: Int64) throws -> [MediaPacket] {
        let formats = try (0..<2).map { try TestPackets.videoFormat($0) }
        return (0..<count).map { number in
            MediaPacket(
                format: formats[Int(number / run % 2)], presentationTime: .milliseconds(number * 500),
                decodeTime: .milliseconds(number * 500), duration: .milliseconds(500), isKey: true,
                data: [0, 0, 0, 1, 0x65, 0x88, 0x84, 0x21], nalUnits: [4..<8])
        }
    }

    private func write(_ packets: [MediaPacket], to folder: SegmentFolder) async throws -> OutputStatistics {
        let broadcast = try Broadcast(tracks: [.video], outputs: [.segments(folder)])
        for packet in packets { try await broadcast.send(packet) }
        await broadcast.finish()
        let statistics = try #require(broadcast.statistics.values.first)
        #expect(statistics.lastError == nil && statistics.writtenPackets == packets.count, "\(statistics)")
        return statistics
    }

    @Test("headers leave the folder with the last segment that needs them, and what is listed is there")
    func headers() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("hls")
            let statistics = try await write(
                packets(40, run: 2), to: SegmentFolder(path: path, seconds: 0.5, window: 3))
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            // Six segments, and the header of each pair of them.
            #expect(names.count { $0.hasSuffix(".m4s") } == 6, "\(names)")
            #expect(names.count { $0.hasSuffix(".mp4") } == 3, "\(names)")
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            for line in list.split(separator: "\n") {
                let name = line.hasPrefix("#EXT-X-MAP") ? line.split(separator: "\"").last ?? "" : line
                #expect(name.hasPrefix("#") || names.contains(String(name)), "\(line)")
            }
            #expect(statistics.openings == 20)
        }
    }

    @Test(
        "the last segment lasts as long as its pictures, where these have no durations",
        arguments: SegmentFolder.Kind.allCases)
    func durations(kind: SegmentFolder.Kind) async throws {
        try await withTemporaryDirectory { folder in
            var packets = try packets(5, run: 5)
            for index in packets.indices { packets[index].duration = nil }
            _ = try await write(packets, to: SegmentFolder(path: folder.path("hls"), kind: kind, seconds: 1))
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            let lengths = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
            #expect(lengths == ["#EXTINF:1.000,", "#EXTINF:1.000,", "#EXTINF:0.500,"], "\(list)")
        }
    }

    @Test("a guessed duration does not outlast the next picture", arguments: SegmentFolder.Kind.allCases)
    func guessedDurations(kind: SegmentFolder.Kind) async throws {
        try await withTemporaryDirectory { folder in
            var packets = try packets(5, run: 5)
            for (index, tenths) in [0, 5, 10, 25, 26].enumerated() {
                let time = MediaTime(value: Int64(tenths), timescale: 10)
                (packets[index].presentationTime, packets[index].decodeTime) = (time, time)
                packets[index].duration = nil
            }
            _ = try await write(packets, to: SegmentFolder(path: folder.path("hls"), kind: kind, seconds: 1))
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            let lengths = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
            #expect(lengths == ["#EXTINF:1.000,", "#EXTINF:1.500,", "#EXTINF:0.200,"], "\(list)")
        }
    }

    @Test(
        "a size that changes ends the segment, and the next one is discontinuous",
        arguments: SegmentFolder.Kind.allCases)
    func newSize(kind: SegmentFolder.Kind) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("hls")
            let statistics = try await write(packets(9, run: 3), to: SegmentFolder(path: path, kind: kind, seconds: 60))
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            let lines = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") || $0.contains("DISCONTINUITY") }
            let length: Substring = "#EXTINF:1.500,"
            let change: Substring = "#EXT-X-DISCONTINUITY"
            #expect(lines == [length, change, length, change, length], "\(list)")
            let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "index.m3u8" }
            let size = try files.reduce(0) { try $0 + folder.read("hls/\($1)").count }
            #expect(statistics.byteCount == size)
        }
    }

    @Test("the play list of a folder that is cancelled ends: no segment follows")
    func cancelled() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("hls")
            let broadcast = try Broadcast(
                tracks: [.video], outputs: [.segments(SegmentFolder(path: path, seconds: 0.5))])
            let packets = try packets(6, run: 100)
            for packet in packets { try await broadcast.send(packet) }
            #expect(await eventually { broadcast.statistics.values.first?.writtenPackets == packets.count })
            broadcast.cancel()
            await broadcast.finish()
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            #expect(list.hasSuffix("#EXT-X-ENDLIST\n"), "\(list)")
            #expect(list.split(separator: "\n").count { $0.hasSuffix(".m4s") } == 6, "\(list)")
        }
    }
}
