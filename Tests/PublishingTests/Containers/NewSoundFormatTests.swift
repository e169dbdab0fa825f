// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Synchronization
import TestSupport
import Testing

/// Sound whose format changes in the middle of a group of pictures, where a container holds one.
@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct NewSoundFormatTests {
    /// The packets of a stream whose sound has one channel from 1.7 s on, in the middle of a group, up to a time.
    private func packets(of stream: TestStream, backAt end: MediaTime? = nil) throws -> [MediaPacket] {
        let format = try AudioFormat(
            codec: .aac, sampleRate: 48_000, channelCount: 1, priming: 1024, configuration: [0x11, 0x88])
        return stream.packets.map { packet in
            guard packet.track == .audio, packet.presentationTime >= .milliseconds(1700),
                end.map({ packet.presentationTime < $0 }) ?? true
            else { return packet }
            return MediaPacket(format: format, time: packet.presentationTime, data: packet.data)
        }
    }

    @Test(
        "the next file begins with a key frame, which is asked for, and no picture is left out", .inTurn(),
        arguments: ["mp4", "mkv", "ts", "mov", "asf"])
    func files(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let asked = Atomic(0)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("a.\(name)"))]) {
                asked.add(1, ordering: .relaxed)
            }
            for packet in try packets(of: stream) { try await broadcast.send(packet) }
            await broadcast.finish()
            let first = try await ReadPacket.all(folder.path("a.\(name)")).filter { $0.track == 0 }
            let second = try await ReadPacket.all(folder.path("a-2.\(name)")).filter { $0.track == 0 }
            #expect(first.count + second.count == stream.video.count)
            #expect(first.first?.isKey == true && second.first?.isKey == true)
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.openings == 2 && statistics.state == .ended, "\(statistics)")
            // From 1.7 s on, to the key frame that is shown at 2 s and decoded up to 0.1 s earlier.
            #expect((8...16).contains(statistics.leftOutPackets), "\(statistics)")
            #expect(statistics.givenPackets == statistics.writtenPackets + statistics.leftOutPackets)
            #expect(asked.load(ordering: .relaxed) == 1)
        }
    }

    @Test("a closure's next container begins with a key frame too")
    func closure() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let runs = Mutex<[[UInt8]]>([])
            let output = Output.receiver("closure", container: .transportStream) { piece in
                runs.withLock { runs in
                    switch piece {
                    case .header(let bytes): runs.append(bytes)
                    case .bytes(let bytes): runs[runs.count - 1] += bytes
                    case .ended: break
                    }
                }
            }
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            for packet in try packets(of: stream) { try await broadcast.send(packet) }
            await broadcast.finish()
            let written = runs.withLock { $0 }
            #expect(written.count == 2)
            for (number, run) in written.enumerated() {
                let path = try folder.write(run, to: "\(number).ts")
                #expect(try await ReadPacket.all(path).first { $0.track == 0 }?.isKey == true, "run \(number)")
            }
        }
    }

    @Test("a format that comes back before the key frame goes on in the same file")
    func comesBack() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("a.mkv"))])
            for packet in try packets(of: stream, backAt: .milliseconds(1900)) { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.openings == 1 && (8...11).contains(statistics.leftOutPackets), "\(statistics)")
        }
    }

    @Test("sound does not wait for ever for a key frame that does not come")
    func noKeyFrame() async throws {
        try await withTemporaryDirectory { folder in
            let (video, stereo) = try (TestPackets.videoFormat(), TestPackets.audioFormat())
            let other = try TestPackets.audioFormat(sampleRate: 44_100)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("a.mkv"))])
            for number in 0..<300 as Range<Int64> {
                let time = MediaTime.milliseconds(number * 50)
                try await broadcast.send(TestPackets.picture(time, isKey: number == 0, format: video))
                try await broadcast.send(TestPackets.sound(time, format: number < 20 ? stereo : other))
            }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            // Ten seconds of twenty packets each.
            #expect(statistics.openings == 2 && statistics.leftOutPackets == 201, "\(statistics)")
        }
    }
}
