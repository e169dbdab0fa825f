// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

@Suite struct ContainerClockTests {
    private let video: FormatDescription
    private let audio: AudioFormat
    private let both: [TrackID] = [.video, .audio]

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat(priming: 1024)
    }

    /// Picture number `number` of a stream at 30 frames in a second, decoded `delay` pictures early.
    private func picture(_ number: Int64, delay: Int64 = 0, isKey: Bool = false) -> MediaPacket {
        MediaPacket(
            format: video, presentationTime: MediaTime(value: number, timescale: 30),
            decodeTime: MediaTime(value: number - delay, timescale: 30), duration: MediaTime(value: 1, timescale: 30),
            isKey: isKey, data: [1], nalUnits: [0..<1])
    }

    /// Packet number `number` of sound that begins with the priming.
    private func sound(_ number: Int64) -> MediaPacket {
        TestPackets.sound(MediaTime(value: (number - 1) * 1024, timescale: 48_000), format: audio)
    }

    private func ticks(_ placement: ContainerClock.Placement) throws -> ContainerClock.Ticks {
        guard case .ticks(let ticks) = placement else {
            throw PublishingError(.invalidState, reason: "\(placement)")
        }
        return ticks
    }

    @Test("FLV moves all times by the reordering, or by the priming where that is longer")
    func offsets() throws {
        var reordered = ContainerClock(.flv(both))
        reordered.begin(with: [picture(0, delay: 2, isKey: true), sound(0)])
        #expect(reordered.offset == .milliseconds(67))
        #expect(
            try ticks(reordered.place(picture(0, delay: 2, isKey: true)))
                == .init(presentation: 67, decode: 0, duration: 33))
        #expect(try ticks(reordered.place(picture(3, delay: 4))) == .init(presentation: 167, decode: 34, duration: 33))
        #expect(try ticks(reordered.place(sound(0))) == .init(presentation: 46, decode: 46, duration: 21))
        var plain = ContainerClock(.flv(both))
        plain.begin(with: [picture(0, isKey: true), sound(0)])
        #expect(plain.offset == .milliseconds(22))
        #expect(try ticks(plain.place(sound(0))).presentation == 1)
        #expect(try ticks(plain.place(picture(0, isKey: true))).decode == 22)
    }

    @Test("Matroska keeps negative times, MP4 counts each track by its own clock")
    func belowZero() throws {
        var matroska = ContainerClock(.matroska(both))
        matroska.begin(with: [picture(0, delay: 2, isKey: true), sound(0)])
        #expect(try ticks(matroska.place(sound(0))).presentation == -21)
        #expect(try ticks(matroska.place(picture(0, delay: 2, isKey: true))).decode == -67)
        var mp4 = ContainerClock(.init(timescales: [.video: 30, .audio: 48_000], countsBelowZero: true))
        mp4.begin(with: [picture(0, delay: 2, isKey: true), sound(0)])
        #expect(try ticks(mp4.place(sound(0))) == .init(presentation: -1024, decode: -1024, duration: 1024))
        #expect(
            try ticks(mp4.place(picture(0, delay: 2, isKey: true))) == .init(presentation: 0, decode: -2, duration: 1))
    }

    @Test("an output that begins in the middle begins at zero")
    func lateBeginning() throws {
        var file = ContainerClock(.transportStream([.video]))
        file.begin(with: [picture(3000, delay: 2, isKey: true)])
        #expect(
            try ticks(file.place(picture(3000, delay: 2, isKey: true)))
                == .init(presentation: 6000, decode: 0, duration: 3000))
    }

    @Test("the next connection goes on with the same offset")
    func reconnect() throws {
        var clock = ContainerClock(.flv(both))
        #expect(clock.begin(with: [picture(0, delay: 2, isKey: true), sound(0)]) == false)
        let before = try ticks(clock.place(picture(0, delay: 2, isKey: true)))
        #expect(clock.begin(with: [picture(300, delay: 2, isKey: true), sound(469)]) == true)
        let after = try ticks(clock.place(picture(300, delay: 2, isKey: true)))
        #expect(after.presentation - before.presentation == 10_000 && clock.offset == .milliseconds(67))
    }

    @Test(
        "times are right around 2^24, 2^31 and 2^32 ms",
        arguments: [Int64(1) << 24, Int64(1) << 31 - 700_000, Int64(1) << 31, Int64(1) << 32])
    func longTimes(milliseconds: Int64) throws {
        var transport = ContainerClock(.transportStream([.video]))
        transport.begin(with: [picture(0, isKey: true)])
        let start = milliseconds * 30 / 1000 - 3
        for number in start..<start + 6 {
            #expect(try ticks(transport.place(picture(number))).decode == number * 3000)
        }
        var flv = ContainerClock(.flv([.video]))
        flv.begin(with: [picture(0, isKey: true)])
        for number in start..<start + 6 {
            let placement = flv.place(picture(number))
            if milliseconds >= 1 << 31, number * 1000 / 30 > Int32.max {
                #expect(placement == .beginAnew)
            } else {
                #expect(abs(try ticks(placement).decode * 30 - number * 1000) <= 15)
            }
        }
    }

    @Test("FLV begins anew at the first key frame of its last ten minutes, from zero again")
    func beginsAnew() throws {
        var clock = ContainerClock(.flv([.video]))
        clock.begin(with: [picture(0, delay: 2, isKey: true)])
        let end = (Int64(Int32.max) - 600_000) * 30 / 1000
        #expect(try ticks(clock.place(picture(end - 30, delay: 2, isKey: true))).presentation > 0)
        #expect(try ticks(clock.place(picture(end + 1, delay: 2))).presentation > 0)
        let key = picture(end + 30, delay: 2, isKey: true)
        #expect(clock.place(key) == .beginAnew)
        #expect(clock.begin(with: [key]) == false)
        #expect(try ticks(clock.place(key)) == .init(presentation: 67, decode: 0, duration: 33))
    }

    @Test("sound that lies before a start at zero is left out")
    func beforeStart() throws {
        var clock = ContainerClock(.flv(both))
        clock.begin(with: [picture(0, isKey: true)])
        #expect(clock.place(sound(0)) == .beforeStart)
        #expect(try ticks(clock.place(sound(1))).presentation == 0)
    }

    @Test("decode times rise strictly after rounding, presentation times never lie before them")
    func rising() throws {
        var random = SeededGenerator()
        for rules in [ContainerClock.Rules.flv([.video]), .matroska([.video]), .transportStream([.video])] {
            var clock = ContainerClock(rules)
            var (time, last) = (Int64(0), Int64.min)
            for number in 0..<2000 {
                // 0.1 to 2 ms apart, or 40.
                time += number % 50 == 0 ? 400_000 : Int64.random(in: 1000...20_000, using: &random)
                let exact = MediaTime(value: time, timescale: 10_000_000)
                let packet = TestPackets.picture(exact, isKey: number == 0, format: video)
                if number == 0 { clock.begin(with: [packet]) }
                let ticks = try ticks(clock.place(packet))
                #expect(ticks.decode > last && ticks.presentation >= ticks.decode)
                last = ticks.decode
            }
        }
    }

    @Test("where ticks are short enough, each time is the nearest one, and durations add up")
    func nearest() throws {
        var clock = ContainerClock(.flv(both))
        clock.begin(with: [picture(0, delay: 2, isKey: true), sound(0)])
        var sum: Int64 = 0
        for number in 0..<20_000 as Range<Int64> {
            let ticks = try ticks(clock.place(sound(number)))
            #expect(abs((ticks.presentation - 67) * 48 - (number - 1) * 1024) <= 24)
            #expect(ticks.presentation == 46 + sum)
            sum += ticks.duration
        }
    }
}
