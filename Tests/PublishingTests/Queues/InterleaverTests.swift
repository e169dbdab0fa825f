// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

@Suite struct InterleaverTests {
    private let video: FormatDescription
    private let audio: AudioFormat

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat()
    }

    private func picture(_ milliseconds: Int64) -> MediaPacket {
        TestPackets.picture(.milliseconds(milliseconds), format: video)
    }

    private func sound(_ milliseconds: Int64) -> MediaPacket {
        TestPackets.sound(.milliseconds(milliseconds), format: audio)
    }

    private func drain(_ interleaver: inout Interleaver) -> [String] {
        var names: [String] = []
        while let packet = interleaver.pop() {
            names.append("\(packet.track.kind == .video ? "V" : "A")\(packet.decodeTime.ticks(timescale: 1000))")
        }
        return names
    }

    @Test("the earlier decode time goes first, of equal ones the track named first")
    func order() throws {
        var interleaver = Interleaver(tracks: [.video, .audio])
        for packet in [picture(0), picture(40), picture(80), sound(0), sound(21), sound(43)] {
            try interleaver.push(packet)
        }
        #expect(interleaver.heads.map(\.track) == [.video, .audio])
        #expect(drain(&interleaver) == ["V0", "A0", "A21", "V40", "A43"])
        #expect(interleaver.count == 1 && !interleaver.isFinished)
    }

    @Test("a packet at time zero is one like any other, and comes out once")
    func zero() throws {
        var interleaver = Interleaver(tracks: [.video, .audio])
        try interleaver.push(sound(-21))
        try interleaver.push(sound(0))
        #expect(drain(&interleaver).isEmpty)
        try interleaver.push(picture(0))
        #expect(drain(&interleaver) == ["A-21", "V0"])
        try interleaver.push(picture(40))
        #expect(drain(&interleaver) == ["A0"])
    }

    @Test("a track that ended holds nothing up")
    func ended() throws {
        var interleaver = Interleaver(tracks: [.video, .audio])
        for time in [0, 40, 80] as [Int64] { try interleaver.push(picture(time)) }
        #expect(drain(&interleaver).isEmpty)
        interleaver.end(.audio)
        #expect(drain(&interleaver) == ["V0", "V40", "V80"])
        let error = #expect(throws: PublishingError.self) { try interleaver.push(sound(0)) }
        #expect(error?.code == .invalidState)
        interleaver.end(.video)
        #expect(interleaver.isFinished)
    }

    @Test("a track that lags lets the others go on, and its packets follow when they come")
    func lagging() throws {
        var interleaver = Interleaver(tracks: [.video, .audio], longestLag: .milliseconds(200))
        for time in stride(from: 0 as Int64, through: 240, by: 40) { try interleaver.push(picture(time)) }
        #expect(drain(&interleaver) == ["V0", "V40"])
        try interleaver.push(sound(0))
        #expect(drain(&interleaver) == ["A0"])
        try interleaver.push(sound(100))
        #expect(drain(&interleaver) == ["V80", "A100"])
    }

    @Test("a track that nobody announced is refused by name")
    func unknown() throws {
        var interleaver = Interleaver(tracks: [.video])
        let error = #expect(throws: PublishingError.self) { try interleaver.push(sound(0)) }
        #expect(error?.reason == "a packet of track audio, expected one of video")
    }

    @Test(
        "in whatever order tracks come, all packets come out, each track's in its order, and all by time if none lags")
    func random() throws {
        var random = SeededGenerator()
        for _ in 0..<100 {
            let lag = Int64.random(in: 0...400, using: &random)
            var rest = [(0..<50).map { picture($0 * 40) }, (0..<90).map { sound($0 * 23) }]
            var interleaver = Interleaver(tracks: [.video, .audio], longestLag: .milliseconds(400))
            var (output, next): ([MediaPacket], [Int]) = ([], [0, 0])
            while next != rest.map(\.count) {
                var track = Int.random(in: 0...1, using: &random)
                // Neither track gets further ahead than `lag`.
                let times = zip(rest, next).map { packets, place -> MediaTime in
                    place < packets.count ? packets[place].decodeTime : .milliseconds(9999)
                }
                if times[track] > times[1 - track] + .milliseconds(lag) { track = 1 - track }
                guard next[track] < rest[track].count else { continue }
                try interleaver.push(rest[track][next[track]])
                next[track] += 1
                if next[track] == rest[track].count { interleaver.end(rest[track][0].track) }
                while let packet = interleaver.pop() { output.append(packet) }
            }
            rest = []
            #expect(interleaver.isFinished && output.count == 140)
            #expect(output.map(\.decodeTime) == output.map(\.decodeTime).sorted())
        }
    }
}
