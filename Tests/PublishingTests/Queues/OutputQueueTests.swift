// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import Publishing

@Suite struct OutputQueueTests {
    private let video: FormatDescription
    private let audio: AudioFormat

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat()
    }

    /// A key frame each second, decoded 80 ms before it is shown.
    private func picture(second: Int64) -> MediaPacket {
        TestPackets.picture(
            .milliseconds(second * 1000), decodedAt: .milliseconds(second * 1000 - 80), isKey: true, format: video)
    }

    private func sound(second: Int64) -> MediaPacket {
        TestPackets.sound(.milliseconds(second * 1000), format: audio)
    }

    private func liveQueue() throws -> OutputQueue {
        let output = Output.address(try PublishAddress("rtmp://127.0.0.1/mytv/room"))
        return OutputQueue(output, tracks: [.video, .audio], isJoining: false)
    }

    @Test("a connection that is there from the start begins with the first packets of all tracks, once")
    func fromTheStart() throws {
        var queue = try liveQueue()
        queue.connect()
        let first = [picture(second: 0), sound(second: 0)]
        queue.begin(with: first)
        for packet in first { queue.push(packet) }
        let popped = queue.pop()
        let (packet, begins) = try #require(popped)
        #expect(packet.track == .video && begins.map(\.track) == [.video, .audio])
        let next = queue.pop()
        #expect(try #require(next).first.isEmpty)
    }

    @Test("a connection that is made after the first packets begins with its own first packet alone")
    func madeLate() throws {
        var queue = try liveQueue()
        let first = [picture(second: 0), sound(second: 0)]
        queue.begin(with: first)
        for packet in first { queue.push(packet) }
        queue.connect()
        queue.push(sound(second: 1))
        queue.push(picture(second: 2))
        let popped = queue.pop()
        let (packet, begins) = try #require(popped)
        #expect(packet.presentationTime == .milliseconds(2000) && begins.isEmpty)
    }

    @Test("a connection that broke before it sent anything is followed by one with times of its own")
    func brokenBefore() throws {
        var queue = try liveQueue()
        queue.connect()
        let first = [picture(second: 0), sound(second: 0)]
        queue.begin(with: first)
        for packet in first { queue.push(packet) }
        #expect(queue.disconnect() == 0)
        queue.connect()
        queue.push(picture(second: 1))
        let popped = queue.pop()
        #expect(try #require(popped).first.isEmpty)
    }

    @Test("a file that begins later has no sound before its first picture but what a decoder needs for it")
    func soundBeforeFirstPicture() throws {
        var output = try Output.file("a.mkv", container: .matroska)
        output.start = .milliseconds(2000)
        var queue = OutputQueue(output, tracks: [.video, .audio], isJoining: false)
        // The key frame is decoded at 1.92 s; a packet of sound lasts 21.3 ms.
        queue.push(picture(second: 2))
        let sounds: [Int64] = [1920, 1941, 1963, 1984, 2005]
        for time in sounds { queue.push(TestPackets.sound(.milliseconds(time), format: audio)) }
        let taken = queue.popSeveral(byteCount: .max).packets
        let expected: [MediaTime] = [.milliseconds(2000), .milliseconds(1984), .milliseconds(2005)]
        #expect(taken.map(\.presentationTime) == expected)
        #expect(queue.passedOver == 3)
    }

    @Test("a file that begins later has no picture that is decoded behind its first and shown before it")
    func leadingPictures() throws {
        var output = try Output.file("a.mkv", container: .matroska)
        output.start = .milliseconds(2000)
        var queue = OutputQueue(output, tracks: [.video], isJoining: false)
        queue.push(picture(second: 2))
        for (time, decode): (Int64, Int64) in [(1960, 1940), (1980, 1960), (2040, 1980)] {
            queue.push(
                TestPackets.picture(.milliseconds(time), decodedAt: .milliseconds(decode), isKey: false, format: video))
        }
        let times: [MediaTime] = [.milliseconds(2000), .milliseconds(2040)]
        #expect(queue.popSeveral(byteCount: .max).packets.map(\.presentationTime) == times)
        #expect(queue.passedOver == 2)
    }

    @Test("a file takes several packets at once, up to a number of bytes, and a connection one")
    func several() throws {
        var queue = OutputQueue(try .file("a.flv", container: .flv), tracks: [.video, .audio], isJoining: false)
        var live = try liveQueue()
        live.connect()
        let packets = [picture(second: 0), sound(second: 0), picture(second: 1), sound(second: 1)]
        queue.begin(with: Array(packets[..<2]))
        for packet in packets {
            queue.push(packet)
            live.push(packet)
        }
        let enough = packets[0].data.count + packets[1].data.count
        let taken = queue.popSeveral(byteCount: enough)
        #expect(taken.packets.map(\.track) == [.video, .audio] && taken.first.count == 2)
        #expect(queue.byteCount == packets[2].data.count + packets[3].data.count)
        let rest = queue.popSeveral(byteCount: .max)
        #expect(
            rest.packets.map(\.presentationTime) == [.milliseconds(1000), .milliseconds(1000)] && rest.first.isEmpty)
        #expect(queue.popSeveral(byteCount: 1).packets.isEmpty && queue.byteCount == 0)
        #expect(live.popSeveral(byteCount: .max).packets.count == 1)
    }
}
