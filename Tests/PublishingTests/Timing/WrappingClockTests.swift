// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

/// A source whose clock has 33 bits of 1/90000 s, as transport streams do, and starts at zero again after 26.5 hours.
@Suite struct WrappingClockTests {
    private let period = MediaTime(value: 1 << 33, timescale: 90_000)
    private let video: FormatDescription
    private let audio: AudioFormat

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat()
    }

    /// What is left of a time in the source's 33 bits.
    private func wrapped(_ ticks: Int64) -> MediaTime {
        MediaTime(value: ticks & (1 << 33 - 1), timescale: 90_000)
    }

    private func picture(_ ticks: Int64, delay: Int64 = 0) -> MediaPacket {
        TestPackets.picture(wrapped(ticks), decodedAt: wrapped(ticks - delay), format: video)
    }

    private func sound(_ ticks: Int64) -> MediaPacket { TestPackets.sound(wrapped(ticks), format: audio) }

    private func packets(_ events: [Timeline.Event]) -> [MediaPacket] {
        events.compactMap { if case .packet(let packet) = $0 { packet } else { nil } }
    }

    @Test(
        "times go on through two wraps, in both tracks, whichever is ahead",
        arguments: [-27_000, 0, 27_000] as [Int64], [BackwardsTimes.refused, .rebased])
    func twice(lead: Int64, backwardsTimes: BackwardsTimes) throws {
        var timeline = Timeline(
            tracks: [.video, .audio], backwardsTimes: backwardsTimes.value, wrapPeriod: period)
        let start: Int64 = 1 << 33 - 1_000_000
        // A picture each ten minutes, and each 40 ms for a while around each wrap.
        var times = Set(stride(from: Int64(0), to: 3 << 33, by: 54_000_000))
        for wrap in [1_000_000, 1_000_000 + 1 << 33] as [Int64] {
            times.formUnion(stride(from: wrap - 90_000, to: wrap + 90_000, by: 3600))
        }
        for time in times.sorted() {
            let shown = try packets(timeline.place(picture(start + time, delay: 7200)))
            #expect(
                shown.filter { $0.track == .video }.map(\.presentationTime) == [
                    MediaTime(value: time, timescale: 90_000)
                ])
            guard time >= 54_000_000 else { continue }
            let heard = try packets(timeline.place(sound(start + time + lead)))
            #expect(heard.map(\.presentationTime) == [MediaTime(value: time + lead, timescale: 90_000)])
        }
        #expect(timeline.finish().isEmpty)
    }

    /// What becomes of times that do not rise, as a row of a test.
    enum BackwardsTimes: Sendable {
        case refused
        case rebased

        fileprivate var value: Timeline.BackwardsTimes { self == .refused ? .refused : .rebased }
    }

    @Test("a picture may be decoded before a wrap and shown behind it, the first one too")
    func reordered() throws {
        for start in [0, 3600, -3600] as [Int64] {
            var timeline = Timeline(tracks: [.video], backwardsTimes: .refused, wrapPeriod: period)
            for number in 0..<8 as Range<Int64> {
                let ticks = start + number * 3600
                let placed = try packets(timeline.place(picture(ticks, delay: 7200)))
                #expect(placed.map(\.presentationTime) == [MediaTime(value: number * 3600, timescale: 90_000)])
                #expect(placed.map(\.decodeTime) == [MediaTime(value: number * 3600 - 7200, timescale: 90_000)])
            }
        }
    }

    @Test("a picture that is shown long before it is decoded is refused, wrap or none")
    func shownTooEarly() throws {
        var timeline = Timeline(tracks: [.video], backwardsTimes: .refused, wrapPeriod: period)
        let early = TestPackets.picture(.milliseconds(0), decodedAt: .milliseconds(40), format: video)
        #expect(throws: PublishingError.self) { try timeline.place(early) }
        #expect(timeline.base == nil)
        #expect(try packets(timeline.place(picture(0))).map(\.presentationTime) == [.zero])
    }

    @Test("sound that comes first, last, or for the first time behind a wrap has its place beside the pictures")
    func lateTrack() throws {
        let (end, frame): (Int64, Int64) = (1 << 33, 3600)
        for soundStart in [end - 2 * frame, end - frame, end, end + frame] {
            for pictureStart in [end - frame, end + frame] {
                var timeline = Timeline(tracks: [.video, .audio], backwardsTimes: .refused, wrapPeriod: period)
                var placed: [MediaPacket] = []
                for number in 0..<4 as Range<Int64> {
                    if soundStart <= pictureStart {
                        placed += try packets(timeline.place(sound(soundStart + number * frame)))
                        placed += try packets(timeline.place(picture(pictureStart + number * frame)))
                    } else {
                        placed += try packets(timeline.place(picture(pictureStart + number * frame)))
                        placed += try packets(timeline.place(sound(soundStart + number * frame)))
                    }
                }
                let heard = placed.filter { $0.track == .audio }.map(\.presentationTime)
                let expected = (0..<4 as Range<Int64>).map { soundStart + $0 * frame - pictureStart }
                    .filter { $0 >= -1920 }.map { MediaTime(value: $0, timescale: 90_000) }
                #expect(heard == expected, "sound from \(soundStart - end), pictures from \(pictureStart - end)")
                #expect(placed.count { $0.track == .video } == 4)
            }
        }
    }
}
