// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Publishing
import TestSupport
import Testing

/// Files that the threads which give packets write themselves.
@Suite struct WritingHereTests {
    private func isPublishing(_ broadcast: Broadcast) async -> Bool {
        await eventually { broadcast.statistics.values.allSatisfy { $0.state == .publishing } }
    }

    /// Pictures of 40 ms each.
    private func pictures(_ count: Int, groupLength: Int, format: (Int) -> FormatDescription) -> [MediaPacket] {
        (0..<count).map { number -> MediaPacket in
            let time = MediaTime.milliseconds(Int64(number) * 40)
            return TestPackets.picture(time, isKey: number % groupLength == 0, format: format(number))
        }
    }

    @Test(
        "the only file holds packets that are given many at once when the call returns", .requiresProgram(.ffmpeg))
    func written() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 2, in: folder)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("a.ts"))])
            #expect(await isPublishing(broadcast))
            var given = 0
            for start in stride(from: 0, to: stream.packets.count, by: 40) {
                let packets = Array(stream.packets[start...].prefix(40))
                try broadcast.sendBlocking(packets)
                given += packets.count
                let statistics = try #require(broadcast.statistics.values.first)
                // What the interleaver keeps for want of the other track was not given to the output yet.
                #expect(statistics.writtenPackets + statistics.leftOutPackets == statistics.givenPackets)
                #expect(statistics.givenPackets > given - 40)
                #expect(try folder.read("a.ts").count == statistics.byteCount)
            }
            await broadcast.finish()
            #expect(broadcast.statistics.values.map(\.state) == [.ended])
        }
    }

    @Test(
        "of packets that more follow, the only file holds whole pieces of 256 KiB; with the last packets it holds all",
        arguments: [Container.flv, .transportStream, .fragmentedMP4, .matroska])
    func wholePieces(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let format = try TestPackets.videoFormat()
            let packets = (0..<100).map { number -> MediaPacket in
                let time = MediaTime.milliseconds(Int64(number) * 40)
                return TestPackets.picture(time, isKey: number % 10 == 0, byteCount: 20_000, format: format)
            }
            let broadcast = try Broadcast(
                tracks: [.video], outputs: [.file(folder.path("a.x"), container: container)])
            #expect(await isPublishing(broadcast))
            var (taken, sizes) = (0, Set<Int>())
            for start in stride(from: 0, to: packets.count, by: 20) {
                let isLast = start + 20 == packets.count
                try broadcast.sendBlocking(
                    Array(packets[start...].prefix(20)), moreFollows: !isLast, taken: &taken)
                let size = try folder.read("a.x").count
                #expect(size % (1 << 18) == 0 || isLast, "\(size) bytes")
                sizes.insert(size)
            }
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(sizes.count > 3 && taken == packets.count && statistics.writtenPackets == packets.count)
            #expect(sizes.max() == statistics.byteCount && statistics.byteCount > 1_700_000)
            await broadcast.finish()
        }
    }

    @Test("a size that changes among packets given at once begins another file, and none of them is lost")
    func newFormat() async throws {
        try await withTemporaryDirectory { folder in
            let formats = try [TestPackets.videoFormat(0), TestPackets.videoFormat(1)]
            let packets = pictures(400, groupLength: 100) { formats[$0 / 100 % 2] }
            let broadcast = try Broadcast(tracks: [.video], outputs: [.file(folder.path("a.mkv"))])
            #expect(await isPublishing(broadcast))
            for start in stride(from: 0, to: packets.count, by: 250) {
                try broadcast.sendBlocking(Array(packets[start...].prefix(250)))
            }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state == .ended && statistics.openings == 4)
            #expect(statistics.writtenPackets == packets.count)
        }
    }

    @Test("threads that give the packets of one track each, and ends at any moment, lose count of nothing")
    func threads() async throws {
        try await withTemporaryDirectory { folder in
            let (video, audio) = (try TestPackets.videoFormat(), try TestPackets.audioFormat())
            var random = SeededGenerator()
            for round in 0..<40 {
                let broadcast = try Broadcast(
                    tracks: [.video, .audio], outputs: [.file(folder.path("\(round).mkv"))],
                    formats: [.audio: .audio(audio)])
                let pictures = pictures(600, groupLength: 25) { _ in video }
                let sounds = (0..<1125 as Range<Int64>).map { number -> MediaPacket in
                    TestPackets.sound(MediaTime(value: number * 1024, timescale: 48_000), format: audio)
                }
                let size = Int.random(in: 2...90, using: &random)
                let moment = round % 4 == 0 ? .max : Int.random(in: 0..<pictures.count / size, using: &random)
                let isCancelled = Bool.random(using: &random)
                // Sound that comes long before the first picture is left out.
                try broadcast.sendBlocking(pictures[0])
                await withTaskGroup { group in
                    group.addTask { await give(sounds, size) { try broadcast.sendBlocking($1) } }
                    group.addTask {
                        await give(Array(pictures.dropFirst()), size) { number, packets in
                            if number == moment {
                                if isCancelled { broadcast.cancel() } else { Task { await broadcast.finish() } }
                            }
                            try broadcast.sendBlocking(packets)
                        }
                    }
                }
                await broadcast.finish()
                let statistics = try #require(broadcast.statistics.values.first)
                #expect(statistics.state.isFinal && statistics.queueBytes == 0)
                #expect(
                    statistics.writtenPackets + statistics.leftOutPackets == statistics.givenPackets,
                    "round \(round), \(size) at once, ended behind \(moment)")
                if round % 4 == 0 { #expect(statistics.writtenPackets == pictures.count + sounds.count) }
            }
        }
    }

    /// Gives packets on a thread that may block, so many at once, until they are refused.
    private func give(
        _ packets: [MediaPacket], _ size: Int, _ send: @escaping @Sendable (_ number: Int, [MediaPacket]) throws -> Void
    ) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for (number, start) in stride(from: 0, to: packets.count, by: size).enumerated() {
                    guard (try? send(number, Array(packets[start...].prefix(size)))) != nil else { break }
                }
                continuation.resume()
            }
        }
    }
}
