// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

@Suite struct TimelineTests {
    private let video: FormatDescription
    private let audio: AudioFormat

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat(priming: 1024)
    }

    private func picture(_ milliseconds: Int64, delay: Int64 = 0) -> MediaPacket {
        TestPackets.picture(
            .milliseconds(milliseconds), decodedAt: .milliseconds(milliseconds - delay), format: video)
    }

    private func sound(_ frames: Int64) -> MediaPacket {
        TestPackets.sound(MediaTime(value: frames, timescale: 48_000), format: audio)
    }

    private func packets(_ events: [Timeline.Event]) -> [MediaPacket] {
        events.compactMap { if case .packet(let packet) = $0 { packet } else { nil } }
    }

    @Test("zero is when the first picture is shown, to the last digit")
    func base() throws {
        var timeline = Timeline(tracks: [.video], backwardsTimes: .refused)
        let base = MediaTime(value: 1_234_567, timescale: 30_000)
        for number in 0..<4 as Range<Int64> {
            let time = MediaTime(value: base.value + number * 1001, timescale: 30_000)
            let packet = TestPackets.picture(
                time, decodedAt: time - MediaTime(value: 2002, timescale: 30_000), format: video)
            let placed = try packets(timeline.place(packet))
            #expect(placed.map(\.presentationTime) == [MediaTime(value: number * 1001, timescale: 30_000)])
            #expect(placed.map(\.decodeTime) == [MediaTime(value: (number - 2) * 1001, timescale: 30_000)])
        }
        #expect(timeline.base == base)
    }

    @Test("of sound whose priming is not known, the packet before the first picture is kept, which its decoder needs")
    func unknownPriming() throws {
        var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused)
        let format = try TestPackets.audioFormat(priming: 0)
        for number in -3..<1 as Range<Int64> {
            let time = MediaTime(value: number * 1024 + 300, timescale: 48_000)
            #expect(try timeline.place(TestPackets.sound(time, format: format)).isEmpty)
        }
        let placed = try packets(timeline.place(picture(0))).filter { $0.track == .audio }
        #expect(placed.map(\.presentationTime.value) == [-724, 300])
    }

    @Test("sound waits for the first picture; what lies before it is left out, but for the priming")
    func soundFirst() throws {
        var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused)
        // The picture comes with sample frame 48,000; packets start at 44,032 + 1024 n; 47,104 is the first kept.
        for start in stride(from: 44_032 as Int64, to: 50_000, by: 1024) {
            #expect(try timeline.place(sound(start)).isEmpty)
        }
        #expect(timeline.holds(.audio) && !timeline.holds(.video))
        let events = try timeline.place(picture(1000))
        #expect(!timeline.holds(.audio))
        guard case .soundLeftOut(.audio, packetCount: 3) = events.first else {
            Issue.record("\(events)")
            return
        }
        let placed = packets(events)
        #expect(placed.first?.presentationTime == MediaTime(value: 47_104 - 48_000, timescale: 48_000))
        #expect(placed.count == 4 && placed.last?.track == .video && placed.last?.presentationTime == .zero)
    }

    @Test("time zero is a time like any other")
    func zero() throws {
        var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused)
        #expect(try packets(timeline.place(picture(0))).map(\.presentationTime) == [.zero])
        #expect(try packets(timeline.place(sound(0))).map(\.presentationTime) == [.zero])
        #expect(throws: PublishingError.self) { try timeline.place(sound(0)) }
    }

    @Test("without a track of pictures, sound begins at zero")
    func soundAlone() throws {
        var timeline = Timeline(tracks: [.audio], backwardsTimes: .refused)
        #expect(try packets(timeline.place(sound(99_000))).map(\.presentationTime) == [.zero])
    }

    /// How many packets of sound each event says were left out.
    private func leftOut(_ events: [Timeline.Event]) -> [Int] {
        events.compactMap { if case .soundLeftOut(_, let count) = $0 { count } else { nil } }
    }

    @Test("without a picture the oldest sound goes, told once; then what is left comes out", arguments: [false, true])
    func noPicture(comesAtLast: Bool) throws {
        var timeline = Timeline(
            tracks: [.video, .audio], backwardsTimes: .refused, patience: MediaTime(value: 1, timescale: 1))
        var told = 0
        for number in 0..<100 as Range<Int64> {
            for event in try timeline.place(sound(number * 1024)) {
                guard case .pictureMissing(let waited) = event, waited == MediaTime(value: 1, timescale: 1) else {
                    Issue.record("\(event)")
                    continue
                }
                told += 1
            }
        }
        // 46 packets of 21.3 ms are within a second; the one before the picture's time is its priming.
        let events = comesAtLast ? try timeline.place(picture(2000)) : timeline.finish()
        #expect(told == 1 && leftOut(events) == [comesAtLast ? 93 : 54])
        #expect(packets(events).count { $0.track == .audio } == (comesAtLast ? 7 : 46))
        #expect(timeline.finish().isEmpty)
    }

    @Test("sound waits for no picture once the track of pictures has ended, before the sound or behind it")
    func endedPictures() throws {
        for isFirst in [true, false] {
            var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused)
            var events = isFirst ? timeline.end(.video) : []
            #expect(timeline.end(.audio).isEmpty)
            // A minute of sound where it waits for nothing, and less than is kept where it waits.
            let count: Int64 = isFirst ? 2800 : 400
            for number in 0..<count { events += try timeline.place(sound(number * 1024)) }
            if !isFirst { events += timeline.end(.video) }
            #expect(packets(events).count == Int(count) && packets(events).first?.presentationTime == .zero)
            #expect(timeline.finish().isEmpty)
        }
    }

    @Test("a broadcast whose pictures ended before one came gives its sound on")
    func broadcastWithoutPictures() async throws {
        let broadcast = try Broadcast(
            tracks: [.video, .audio], outputs: [.receiver("closure", container: .adts) { _ in }])
        for number in 0..<10 as Range<Int64> { try await broadcast.send(sound(number * 1024)) }
        #expect(broadcast.statistics.values.map(\.givenPackets) == [0])
        broadcast.end(.video)
        #expect(broadcast.statistics.values.map(\.givenPackets) == [10])
        try await broadcast.send(sound(10 * 1024))
        #expect(broadcast.statistics.values.map(\.givenPackets) == [11])
        await broadcast.finish()
    }

    @Test("sound that comes too late for the first picture is told of once, when sound goes on or the source ends")
    func lateSound() throws {
        for end in [40, 100] as [Int64] {
            var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused)
            _ = try timeline.place(picture(1000))
            // Sample frame 48,000 comes with the picture; packet 46 is the first that is not before its priming.
            var events: [Timeline.Event] = []
            for number in 0..<end { events += try timeline.place(sound(number * 1024)) }
            events += timeline.finish()
            #expect(leftOut(events) == [Int(min(end, 46))])
        }
    }

    @Test("gaps stay")
    func gaps() throws {
        var timeline = Timeline(tracks: [.video], backwardsTimes: .rebased)
        let times = [10_000, 10_040, 20_000, 3_610_000] as [Int64]
        let placed = try times.map { try packets(timeline.place(picture($0))).first?.presentationTime }
        #expect(placed == [.zero, .milliseconds(40), .milliseconds(10_000), .milliseconds(3_600_000)])
    }

    @Test("a clock that goes back is refused by value, and what follows in order is taken")
    func refused() throws {
        var timeline = Timeline(tracks: [.video], backwardsTimes: .refused)
        _ = try timeline.place(picture(0))
        _ = try timeline.place(picture(40))
        for time in [40, 20, -1000] as [Int64] {
            let error = #expect(throws: PublishingError.self) { try timeline.place(picture(time)) }
            #expect(error?.code == .backwardsTime && error?.reason.contains("expected more than 40/1000 s") == true)
        }
        #expect(try packets(timeline.place(picture(80))).map(\.presentationTime) == [.milliseconds(80)])
    }

    @Test("a picture decoded after it is shown, and a track nobody announced, are refused")
    func nonsense() throws {
        var timeline = Timeline(tracks: [.audio], backwardsTimes: .rebased)
        #expect(throws: PublishingError.self) { try timeline.place(picture(0)) }
        var both = Timeline(tracks: [.video], backwardsTimes: .rebased)
        #expect(throws: PublishingError.self) { try both.place(picture(0, delay: -1)) }
        #expect(both.base == nil)
    }

    @Test("when a source begins anew, both tracks go on with their distance, told once for each time")
    func rebased() throws {
        var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .rebased)
        var (events, output): (Int, [TrackID: [MediaTime]]) = (0, [:])
        func give(_ packet: MediaPacket) throws {
            for event in try timeline.place(packet) {
                switch event {
                case .packet(let packet): output[packet.track, default: []].append(packet.presentationTime)
                case .rebased: events += 1
                default: Issue.record("\(event)")
                }
            }
        }
        // Three times the same two seconds, in which sound comes 300 ms after the picture of its time.
        for _ in 0..<3 {
            for time in stride(from: 0 as Int64, to: 2000, by: 40) {
                try give(picture(time))
                if time >= 320 { try give(sound((time - 320) * 48)) }
            }
            for time in stride(from: 1680 as Int64, to: 2000, by: 40) { try give(sound(time * 48)) }
        }
        #expect(events == 2)
        let pictures = try #require(output[.video]), sounds = try #require(output[.audio])
        let even: [MediaTime] = (0..<150).map { .milliseconds($0 * 40) }
        #expect(pictures == even)
        #expect(sounds == pictures)
    }

    @Test("a source's clock that wraps goes on, for both tracks")
    func wrap() throws {
        let period = MediaTime(value: 1 << 33, timescale: 90_000)
        var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused, wrapPeriod: period)
        func time(_ number: Int64) -> MediaTime {
            MediaTime(value: (1 << 33 - 9000 + number * 3600) & (1 << 33 - 1), timescale: 90_000)
        }
        for number in 0..<8 as Range<Int64> {
            let placed =
                try packets(timeline.place(TestPackets.picture(time(number), format: video)))
                + packets(timeline.place(TestPackets.sound(time(number), format: audio)))
            #expect(placed.map(\.presentationTime) == Array(repeating: .milliseconds(number * 40), count: 2))
        }
    }

    @Test("a broadcast of a source whose clock wraps goes on, and tells of no clock that began anew")
    func broadcastOfWrappingSource() async throws {
        let (format, period) = (try TestPackets.videoFormat(), MediaTime(value: 1 << 32, timescale: 90_000))
        try await withTemporaryDirectory { folder in
            let broadcast = try Broadcast(
                tracks: [.video], outputs: [.file(folder.path("a.mkv"))], wrapPeriod: period,
                refusesBackwardsTimes: true)
            for number in 0..<8 as Range<Int64> {
                let ticks = (1 << 32 - 9000 + number * 3600) & (1 << 32 - 1)
                let time = MediaTime(value: ticks, timescale: 90_000)
                try await broadcast.send(TestPackets.picture(time, isKey: number == 0, format: format))
            }
            await broadcast.finish()
            #expect(broadcast.statistics.values.map(\.writtenPackets) == [8])
        }
        for period in [MediaTime.zero, .milliseconds(-1), .milliseconds(999)] {
            let error = #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], wrapPeriod: period) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test(
        "any period of a clock goes with any times",
        arguments: [(1, 1), (1 << 31, Int32.max), (.max, .max), (.max, 1)] as [(Int64, Int32)])
    func anyPeriod(value: Int64, timescale: Int32) {
        var timeline = Timeline(
            tracks: [.audio], backwardsTimes: .rebased, wrapPeriod: MediaTime(value: value, timescale: timescale))
        for seconds in [0, 1 << 32, -(1 << 32), 7, 1 << 32, 1 << 31] as [Int64] {
            _ = try? timeline.place(
                TestPackets.sound(MediaTime(value: seconds * 48_000, timescale: 48_000), format: audio))
        }
    }

    @Test("a packet that is refused leaves a clock that wraps as it was")
    func refusedBesideWrap() throws {
        var timeline = Timeline(
            tracks: [.audio], backwardsTimes: .refused, wrapPeriod: MediaTime(value: 100, timescale: 1))
        func sound(_ milliseconds: Int64) -> MediaPacket {
            TestPackets.sound(.milliseconds(milliseconds), format: audio)
        }
        _ = try timeline.place(sound(90_000))
        for refused in [41_000, 89_000, 90_000] as [Int64] {
            #expect(throws: PublishingError.self) { try timeline.place(sound(refused)) }
        }
        #expect(try packets(timeline.place(sound(91_500))).map(\.presentationTime) == [.milliseconds(1500)])
        #expect(try packets(timeline.place(sound(2000))).map(\.presentationTime) == [.milliseconds(12_000)])
    }

    @Test("whatever times come, decode times of each track rise and no packet is lost")
    func randomTimes() throws {
        var random = SeededGenerator()
        for _ in 0..<200 {
            var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .rebased)
            var last: [TrackID: MediaTime] = [:]
            var (given, counted) = (0, 0)
            for _ in 0..<100 {
                let jump = Int64.random(in: -2000...2000, using: &random)
                let packet =
                    Bool.random(using: &random)
                    ? picture(jump, delay: Int64.random(in: 0...80, using: &random)) : sound(jump * 48)
                given += 1
                for event in try timeline.place(packet) {
                    switch event {
                    case .packet(let packet):
                        counted += 1
                        #expect(last[packet.track].map { $0 < packet.decodeTime } ?? true)
                        #expect(packet.decodeTime <= packet.presentationTime)
                        last[packet.track] = packet.decodeTime
                    case .soundLeftOut(_, let count): counted += count
                    case .rebased, .pictureMissing: break
                    }
                }
            }
            let rest = timeline.finish()
            counted += packets(rest).count + leftOut(rest).reduce(0, +)
            #expect(counted == given)
        }
    }
}
