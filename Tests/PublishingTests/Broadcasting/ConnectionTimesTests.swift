// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Synchronization
import TestSupport
import Testing

@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct ConnectionTimesTests {
    /// What a closure was given in each of its connections.
    private final class Connections: Sendable {
        private let bytes = Mutex<[[UInt8]]>([])

        /// Takes a piece; the first connection breaks after so many bytes.
        func take(_ piece: Output.Piece, breakingAfter limit: Int) throws(PublishingError) {
            let isBroken = bytes.withLock { bytes in
                switch piece {
                case .header(let header): bytes.append(header)
                case .bytes(let more): bytes[bytes.count - 1] += more
                case .ended: break
                }
                return bytes.count == 1 && bytes[0].count > limit
            }
            if isBroken { throw PublishingError(.closedByPeer, reason: "broken") }
        }

        var all: [[UInt8]] { bytes.withLock { $0 } }
    }

    @Test(
        "times go on behind a connection that broke, with the offset of the one before",
        arguments: [Container.flv, .transportStream])
    func offset(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let connections = Connections()
            var output = Output.receiver("closure", container: container) { piece throws(PublishingError) in
                try connections.take(piece, breakingAfter: 30_000)
            }
            output.retries.delays = [.milliseconds(1)]
            output.longestQueue = MediaTime(value: 60, timescale: 1)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            // What is given before is left out up to the next key frame.
            let isThere = await eventually { broadcast.statistics.values.first?.state == .publishing }
            try #require(isThere, "\(broadcast.statistics)")
            let packets = stream.packets
            let middle = packets.count / 2
            for packet in packets[..<middle] { try await broadcast.send(packet) }
            // An error tells that the connection broke, not that another takes packets.
            let isBack = await eventually { broadcast.statistics.values.first?.openings == 2 }
            try #require(isBack, "\(broadcast.statistics)")
            for packet in packets[middle...] { try await broadcast.send(packet) }
            await broadcast.finish()
            try #require(connections.all.count == 2, "\(connections.all.map(\.count)) \(broadcast.statistics)")
            let start = try #require(stream.video.first).presentationTime
            var offsets: [Double] = []
            var counts: [Int] = []
            for (number, bytes) in connections.all.enumerated() {
                let path = try folder.write(bytes, to: "\(number).x")
                let read = try await ReadPacket.all(path).filter { $0.track == 0 }
                // The second one has the pictures from a key frame to the end.
                let given = number == 0 ? stream.video[...] : stream.video.suffix(read.count)
                counts.append(read.count)
                let shown = try #require(read.first?.presentation)
                offsets.append(shown - (try #require(given.first).presentationTime - start).seconds)
                #expect(read.first?.isKey == true)
            }
            #expect(abs(offsets[0] - offsets[1]) <= 0.0011, "\(offsets) \(counts) \(broadcast.statistics)")
        }
    }

    @Test(
        "times begin at zero with the first picture of the first connection, however many packets came before it",
        .inTurn(),
        arguments: [Container.flv, .transportStream])
    func late(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let key = try #require(stream.video.first)
            let lead = (key.presentationTime - key.decodeTime).seconds
            // Whether the connection is there before the first packet is up to the threads.
            for number in 0..<10 {
                let connections = Connections()
                var output = Output.receiver("closure", container: container) { piece throws(PublishingError) in
                    try connections.take(piece, breakingAfter: .max)
                }
                // Of more than its queue holds, a closure would have sound from zero on and pictures from later.
                output.longestQueue = MediaTime(value: 60, timescale: 1)
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
                let middle = stream.packets.count / 2
                for packet in stream.packets[..<middle] { try await broadcast.send(packet) }
                #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
                for packet in stream.packets[middle...] { try await broadcast.send(packet) }
                await broadcast.finish()
                try #require(connections.all.count == 1, "\(broadcast.statistics)")
                let path = try folder.write(connections.all[0], to: "\(number).x")
                let read = try await ReadPacket.all(path).filter { $0.track == 0 }
                let shown = try #require(read.first?.presentation)
                #expect(abs(shown - lead) <= 0.0011, "\(shown) \(read.count) \(broadcast.statistics)")
            }
        }
    }
}
