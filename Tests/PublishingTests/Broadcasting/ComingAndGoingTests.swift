// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import Publishing
import RecordedStreams
import Synchronization
import TestSupport
import Testing

/// Outputs that are added and removed while packets come, and ends that meet each other.
@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct ComingAndGoingTests {
    /// An output that is there from one packet to another.
    private struct Guest {
        let id: OutputID
        let path: String?
        let added: Int
    }

    private static let containers: [Container] = [
        .fragmentedMP4, .matroska, .transportStream, .flv, .mp4, .fragmentedMOV, .mov,
    ]

    /// The threads of this process.
    private var threadCount: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).count
    }

    @Test(
        "outputs that come and go every hundred packets have whole groups of pictures, and leave no thread behind",
        .inTurn())
    func everyHundred() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 10, in: folder)
            let packets = (0..<6).flatMap { round in
                stream.packets.map { $0.later(by: MediaTime(value: Int64(round) * 10, timescale: 1)) }
            }.sorted { $0.decodeTime < $1.decodeTime }
            let alone = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("alone.mp4"))])
            for packet in packets { try await alone.send(packet) }
            await alone.finish()
            let before = threadCount
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("whole.mp4"))])
            let pieces = Mutex(0)
            var (guests, gone): ([Guest], [(Guest, removed: Int)]) = ([], [])
            for (index, packet) in packets.enumerated() {
                if index % 100 == 50 {
                    let number = index / 100
                    let path = number % 8 == 7 ? nil : folder.path("\(number).x")
                    let output =
                        try path.map { try Output.file($0, container: Self.containers[number % 8]) }
                        ?? .receiver("closure", container: .flv) { _ in pieces.withLock { $0 += 1 } }
                    guests.append(Guest(id: try broadcast.add(output), path: path, added: index))
                    if guests.count > 3 {
                        let guest = guests.removeFirst()
                        await broadcast.remove(guest.id)
                        gone.append((guest, index))
                    }
                }
                try await broadcast.send(packet)
            }
            await broadcast.finish()
            gone += guests.map { ($0, packets.count) }
            #expect(broadcast.statistics.values.allSatisfy { $0.state == .ended })
            #expect(try folder.read("alone.mp4") == folder.read("whole.mp4"))
            #expect(gone.count > 40 && pieces.withLock { $0 } > 1000)
            #expect(await eventually { threadCount <= before + 10 }, "\(threadCount) threads, \(before) before")
            for (guest, removed) in gone {
                guard let path = guest.path else { continue }
                let read = try await ReadPacket.all(path, options: ["-select_streams", "v"])
                // Up to a picture and some sound wait between the source and the outputs.
                let given = packets[(guest.added - 4)..<removed].drop { $0.track != .video || !$0.isKey }
                let pictures = given.count { $0.track == .video }
                #expect(read.first?.isKey == true, "\(path)")
                let expected = pictures - TestStream.groupLength - 3...pictures
                #expect(expected.contains(read.count), "\(path): \(read.count), expected \(expected)")
                try await ExternalProgram.ffmpeg.run(["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
            }
        }
    }

    @Test("a track that has ended holds nothing up, nor does one that is late for more than the lag")
    func endedTrack() async throws {
        let (video, audio) = (try TestPackets.videoFormat(), try TestPackets.audioFormat())
        for (ended, isTold) in [(TrackID.audio, true), (.video, true), (.audio, false), (.video, false)] {
            var output = Output.receiver("closure", container: .flv) { _ in }
            output.longestQueue = MediaTime(value: 1000, timescale: 1)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            func send(_ track: TrackID, _ number: Int64) async throws {
                let time = MediaTime.milliseconds(number * 40)
                try await broadcast.send(
                    track == .video
                        ? TestPackets.picture(time, isKey: number % 25 == 0, format: video)
                        : TestPackets.sound(time, format: audio))
            }
            for number in 0..<25 as Range<Int64> {
                try await send(.video, number)
                try await send(.audio, number)
            }
            if isTold { broadcast.end(ended) }
            let other = ended == .video ? TrackID.audio : .video
            for number in 25..<1525 as Range<Int64> {
                try await send(other, number)
                let given = try #require(broadcast.statistics.values.first).givenPackets
                // Untold, a second of the other track is kept for packets that may come.
                #expect(given >= Int(number) + 26 - (isTold ? 0 : 26))
            }
            if isTold {
                let error = await #expect(throws: PublishingError.self) { try await send(ended, 1525) }
                #expect(error?.code == .invalidState)
            }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state == .ended && statistics.writtenPackets == 1550, "\(statistics)")
        }
    }

    @Test("ends that meet each other, of an output and of all, leave a whole file")
    func meetingEnds() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            for round in 0..<6 {
                let path = folder.path("\(round).mp4")
                let broadcast = try Broadcast(tracks: [.video, .audio])
                let id = try broadcast.add(.file(path, container: .mp4))
                for packet in stream.packets { try await broadcast.send(packet) }
                await withTaskGroup { group in
                    for number in 0..<4 {
                        group.addTask {
                            if (number + round) % 2 == 0 {
                                await broadcast.finish()
                            } else {
                                await broadcast.remove(id)
                            }
                        }
                    }
                }
                await broadcast.finish()
                await broadcast.remove(id)
                #expect(broadcast.statistics.isEmpty)
                let read = try await ReadPacket.all(path)
                #expect(read.count { $0.track == 0 } == stream.video.count)
                // Removed before the tracks ended, it lacks the sound that waited for pictures.
                #expect(read.count { $0.track == 1 } >= stream.audio.count - 4)
            }
        }
    }

    @Test("of packets that tasks give of one track at once, those that rise are taken and written, and no others")
    func severalTasks() async throws {
        let format = try TestPackets.audioFormat()
        try await withTemporaryDirectory { folder in
            for _ in 0..<10 {
                let broadcast = try Broadcast(
                    tracks: [.audio], outputs: [.file(folder.path("a.mkv"))], refusesBackwardsTimes: true)
                let taken = await withTaskGroup(of: [MediaTime].self) { group in
                    for task in 0..<8 as Range<Int64> {
                        group.addTask {
                            var taken: [MediaTime] = []
                            for number in 0..<100 {
                                let time = MediaTime(value: (Int64(number) * 8 + task) * 1024, timescale: 48_000)
                                do throws(PublishingError) {
                                    try await broadcast.send(TestPackets.sound(time, format: format))
                                    taken.append(time)
                                } catch {
                                    #expect(error.code == .backwardsTime)
                                }
                            }
                            return taken
                        }
                    }
                    return await group.reduce(into: []) { $0 += $1 }.sorted()
                }
                await broadcast.finish()
                #expect(broadcast.statistics.values.map(\.writtenPackets) == [taken.count])
                let read = try await ReadPacket.all(folder.path("a.mkv"))
                let first = try #require(taken.first)
                #expect(read.count == taken.count)
                #expect(
                    zip(read, taken).allSatisfy { abs(($0.decode ?? -1) - ($1 - first).seconds) < 0.001 })
            }
        }
    }
}
