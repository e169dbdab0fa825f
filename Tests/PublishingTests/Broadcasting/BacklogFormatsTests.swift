// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// Outputs that are so far behind that the formats of what waits for them are not those of what was given last.
@Suite struct BacklogFormatsTests {
    /// Three seconds: pictures of another size in each second, and sound of another rate in the last one if asked.
    private struct Source {
        let pictures: [FormatDescription]
        let sounds: [AudioFormat]
        let packets: [MediaPacket]

        /// What the bytes of the pictures of a second are filled with.
        static func filling(_ second: Int) -> [UInt8] { [UInt8](repeating: UInt8(0xA0 + second), count: 64) }

        init(changesSound: Bool) throws {
            let pictures = try (0..<3).map { try TestPackets.videoFormat($0) }
            let sounds = try (0..<3).map { second in
                let isOther = changesSound && second == 2
                return try AudioFormat(
                    codec: .aac, sampleRate: isOther ? 44_100 : 48_000, channelCount: 2,
                    configuration: isOther ? [0x12, 0x10] : [0x11, 0x90])
            }
            (self.pictures, self.sounds) = (pictures, sounds)
            packets = (0..<75).flatMap { number -> [MediaPacket] in
                let (second, time) = (number / 25, MediaTime.milliseconds(Int64(number) * 40))
                let picture = MediaPacket(
                    format: pictures[second], presentationTime: time, decodeTime: time,
                    duration: .milliseconds(40), isKey: number % 25 == 0, data: [0x65] + Self.filling(second),
                    nalUnits: [0..<65])
                return [picture, TestPackets.sound(time + .milliseconds(1), byteCount: 20, format: sounds[second])]
            }
        }

        /// The bytes that a container has of the format of a second's pictures.
        func header(_ second: Int, in container: Container) -> [UInt8] {
            container == .transportStream ? pictures[second].parameterSets[0] : pictures[second].configurationRecord
        }

        /// Expects the header of each second before all of its pictures, and behind all of the second before it.
        func expectOrder(of bytes: [UInt8], in container: Container) {
            var end = 0
            for second in 0..<3 {
                let header = bytes.firstRange(of: header(second, in: container))?.lowerBound
                let filled = bytes.ranges(of: Self.filling(second))
                #expect(filled.count == 25, "\(container.name), second \(second)")
                let first = filled.first?.lowerBound ?? 0
                #expect(header.map { end <= $0 && $0 < first } == true, "\(container.name), second \(second)")
                end = filled.last?.upperBound ?? 0
            }
        }
    }

    private static let rows: [(Container, Bool)] = [
        (.fragmentedMP4, true), (.matroska, true), (.matroska, false), (.flv, true), (.transportStream, false),
    ]

    @Test("a closure that was stopped gets each packet behind the header of its own format", arguments: rows)
    func closure(container: Container, changesSound: Bool) async throws {
        let source = try Source(changesSound: changesSound)
        let gate = SessionLock(false)
        let pieces = Mutex<[Output.Piece]>([])
        var output = Output.receiver("closure", container: container) { piece in
            gate.waitFor { $0 ? () : nil }
            pieces.withLock { $0.append(piece) }
        }
        output.longestQueue = MediaTime(value: 60, timescale: 1)
        let broadcast = try Broadcast(
            tracks: [.video, .audio], outputs: [output], formats: [.audio: .audio(source.sounds[0])])
        for packet in source.packets { try await broadcast.send(packet) }
        broadcast.end(.audio)
        broadcast.end(.video)
        gate.withLock { $0 = true }
        gate.wakeAll()
        await broadcast.finish()
        let statistics = try #require(broadcast.statistics.values.first)
        #expect(statistics.state == .ended && statistics.writtenPackets == source.packets.count, "\(statistics)")
        let bytes = pieces.withLock { pieces in
            pieces.flatMap { piece -> [UInt8] in
                switch piece {
                case .header(let bytes), .bytes(let bytes): bytes
                case .ended: []
                }
            }
        }
        source.expectOrder(of: bytes, in: container)
        guard changesSound else { return }
        // The header of the other sound is behind the last picture of the second second.
        let sound = bytes.ranges(of: source.sounds[2].configuration)
        let before = try #require(bytes.ranges(of: Source.filling(1)).last)
        #expect(sound.contains { $0.lowerBound > before.lowerBound }, "\(container.name)")
    }

    @Test("a pipe that is opened after all was given gets the formats of its first packets first", arguments: rows)
    func pipe(container: Container, changesSound: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let source = try Source(changesSound: changesSound)
            mkfifo(folder.path("a.x"), 0o600)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.file(folder.path("a.x"), container: container)])
            for packet in source.packets { try await broadcast.send(packet) }
            #expect(broadcast.statistics.values.first?.writtenPackets == 0)
            async let reading = ExternalProgram("cat").run([folder.path("a.x")])
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state == .ended && statistics.writtenPackets == source.packets.count, "\(statistics)")
            var bytes = Array(try await reading.standardOutput)
            // What could not follow went into files beside the pipe.
            for number in 2..<4 where statistics.openings >= number { bytes += try folder.read("a-\(number).x") }
            source.expectOrder(of: bytes, in: container)
        }
    }
}
