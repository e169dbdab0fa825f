// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import RecordedStreams
import TestSupport
import Testing

/// Numbers that fields of containers do not hold.
@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct LargeNumbersTests {
    /// Containers with times.
    private static let containers = Container.allCases.filter { $0 != .annexB && $0 != .adts }

    @Test("a pause of hours, or a duration of any length, ends no recording", .inTurn(), arguments: containers)
    func longDuration(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            for hours in [7, 14, 800_000] as [Int64] {
                let broadcast = try Broadcast(
                    tracks: [.video, .audio], outputs: [.file(folder.path("\(hours)"), container: container)])
                // Pictures have the durations of their distances; a pause of a day or more gives none.
                let isStated = hours > 24
                for packet in stream.packets {
                    try await broadcast.send(isStated ? packet.lasting(hours: hours) : packet)
                }
                if !isStated {
                    let pause = MediaTime(value: hours * 3600, timescale: 1)
                    for packet in stream.moved(by: pause).packets { try await broadcast.send(packet) }
                }
                await broadcast.finish()
                let statistics = try #require(broadcast.statistics.values.first)
                let given = stream.packets.count * (isStated ? 1 : 2)
                #expect(statistics.state == .ended && statistics.writtenPackets == given, "\(hours) h: \(statistics)")
            }
        }
    }

    @Test("a picture that no tag of FLV holds ends the output with the number, and what came before is whole")
    func largePicture() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            let last = try #require(stream.video.last)
            let size = 1 << 24
            let large = MediaPacket(
                format: try #require(last.format.video), presentationTime: last.presentationTime + .milliseconds(100),
                decodeTime: last.decodeTime + .milliseconds(100), isKey: false,
                data: [UInt8](repeating: 0x41, count: size), nalUnits: [0..<size])
            let broadcast = try Broadcast(
                tracks: [.video], outputs: [.file(folder.path("a.flv")), .file(folder.path("a.mkv"))])
            for packet in stream.video + [large] { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics[0].lastError?.code == .unsupported)
            #expect(
                statistics[0].lastError?.reason == "a packet of \(size + 4) bytes in FLV, expected 16777210 at most")
            #expect(statistics[1].state == .ended && statistics[1].writtenPackets == stream.video.count + 1)
            #expect(try await ReadPacket.all(folder.path("a.flv")).count == stream.video.count)
        }
    }
}

extension MediaPacket {
    /// The packet with a duration.
    fileprivate func lasting(hours: Int64) -> MediaPacket {
        let duration = MediaTime(value: hours * 3600, timescale: 1)
        switch format {
        case .video(let format):
            return MediaPacket(
                format: format, presentationTime: presentationTime, decodeTime: decodeTime, duration: duration,
                isKey: isKey, data: data, nalUnits: nalUnits)
        case .audio(let format):
            return MediaPacket(format: format, time: presentationTime, duration: duration, data: data)
        }
    }
}
