// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

/// Packets that are given many at once.
@Suite struct BatchTests {
    @Test(
        "packets that are given many at once make the files that they make one by one", .inTurn(),
        .requiresProgram(.ffmpeg, .ffprobe), arguments: [2, 7, 64, 1000])
    func files(count: Int) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            func make(_ name: String, batch: Int) async throws -> [[UInt8]] {
                let containers = [Container.flv, .transportStream, .fragmentedMP4, .matroska]
                let paths = containers.indices.map { folder.path("\(name)-\($0)") }
                let broadcast = try Broadcast(
                    tracks: [.video, .audio], outputs: zip(paths, containers).map { try .file($0, container: $1) })
                for start in stride(from: 0, to: stream.packets.count, by: batch) {
                    try broadcast.sendBlocking(Array(stream.packets[start...].prefix(batch)))
                }
                await broadcast.finish()
                for statistics in broadcast.statistics.values {
                    #expect(statistics.givenPackets == stream.packets.count && statistics.lastError == nil)
                    #expect(statistics.writtenPackets + statistics.leftOutPackets == stream.packets.count)
                }
                return try containers.indices.map { try folder.read("\(name)-\($0)") }
            }
            #expect(try await make("one", batch: 1) == make("many", batch: count))
        }
    }

    @Test("of packets given at once, those before one that is refused are taken, and those behind it are not")
    func refusal() async throws {
        try await withTemporaryDirectory { folder in
            let format = try TestPackets.videoFormat()
            let broadcast = try Broadcast(
                tracks: [.video], outputs: [.file(folder.path("a.264"), container: .annexB)],
                refusesBackwardsTimes: true)
            let times: [Int64] = [0, 40, 40, 80]
            let packets = times.map { TestPackets.picture(.milliseconds($0), isKey: $0 == 0, format: format) }
            let error = #expect(throws: PublishingError.self) { try broadcast.sendBlocking(packets) }
            #expect(error?.code == .backwardsTime)
            try broadcast.sendBlocking([])
            try broadcast.sendBlocking([TestPackets.picture(.milliseconds(120), format: format)])
            await broadcast.finish()
            #expect(broadcast.statistics.values.map(\.writtenPackets) == [3])
        }
    }
}
