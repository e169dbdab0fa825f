// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

/// Twelve hours of pictures and sound whose times are no whole ticks of the containers that they go to.
@Suite struct TwelveHoursTests {
    /// What the source counts in.
    struct Row: Sendable, CustomStringConvertible {
        /// Ticks per second of the pictures' times, each rounded to one.
        var pictureTimescale: Int32
        var sampleRate: Int

        var description: String { "pictures in 1/\(pictureTimescale) s, sound of \(sampleRate) Hz" }
    }

    static let rows = [30_000, 600, 90_000, 1000].flatMap { timescale in
        [44_100, 48_000, 11_025].map { Row(pictureTimescale: timescale, sampleRate: $0) }
    }

    /// A container's clock with what it has placed so far.
    private struct Container {
        let rules: ContainerClock.Rules
        var clock: ContainerClock
        var last: [TrackID: Int64] = [:]
        /// When the last packet of sound ended, in ticks.
        var soundEnd: Int64?

        init(_ rules: ContainerClock.Rules) { (self.rules, clock) = (rules, ContainerClock(rules)) }

        /// The tick that is nearest to a time, by arithmetic of its own; halves go up.
        private func nearest(_ time: MediaTime, _ track: TrackID) -> Int64 {
            let offset = clock.offset ?? .zero
            let (over, under) = (Int128(time.timescale), Int128(offset.timescale))
            let numerator = Int128(time.value) * under + Int128(offset.value) * over
            let doubled = numerator * Int128(rules.timescales[track] ?? 0) * 2 + over * under
            let (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: over * under * 2)
            return Int64(remainder < 0 ? quotient - 1 : quotient)
        }

        /// Places a packet; says what is wrong with its ticks.
        mutating func fault(_ packet: MediaPacket, isWhole: Bool) -> String? {
            guard case .ticks(let ticks) = clock.place(packet) else { return "no ticks" }
            let track = packet.track
            defer { last[track] = ticks.decode }
            guard ticks.presentation == nearest(packet.presentationTime, track) else {
                return "shown at \(ticks.presentation), expected \(nearest(packet.presentationTime, track))"
            }
            guard ticks.decode == nearest(packet.decodeTime, track) else { return "decoded at \(ticks.decode)" }
            if let last = last[track], ticks.decode <= last { return "decoded at \(ticks.decode) behind \(last)" }
            guard track.kind == .audio else { return nil }
            defer { soundEnd = ticks.presentation + ticks.duration }
            return !isWhole || soundEnd ?? ticks.presentation == ticks.presentation ? nil : "a gap in the sound"
        }
    }

    @Test(
        "each time is the nearest tick for twelve hours, in every container",
        arguments: Sample.of(rows) { ["\($0.pictureTimescale)", "\($0.sampleRate)"] })
    func sampledTimes(row: Row) throws {
        let (video, audio) = (
            try TestPackets.videoFormat(), try TestPackets.audioFormat(priming: 1024, sampleRate: row.sampleRate)
        )
        let both: [TrackID] = [.video, .audio]
        var containers = [
            .flv(both), .transportStream(both), .matroska(both), .asf(both),
            .init(timescales: [.video: row.pictureTimescale, .audio: Int32(row.sampleRate)], countsBelowZero: true),
            .init(timescales: [.video: 15_360, .audio: 90_000], countsBelowZero: true),
        ].map { Container($0) }
        var timeline = Timeline(tracks: both, backwardsTimes: .refused)
        // The source has run for 123,456 pictures already, at 30000/1001 in a second.
        func picture(_ number: Int64) -> MediaPacket {
            func time(_ number: Int64) -> MediaTime {
                let exact = MediaTime(value: (123_456 + number) * 1001, timescale: 30_000)
                let timescale = row.pictureTimescale
                return MediaTime(value: exact.ticks(timescale: timescale), timescale: timescale)
            }
            return MediaPacket(
                format: video, presentationTime: time(number), decodeTime: time(number - 2), isKey: number == 0,
                data: [1], nalUnits: [0..<1])
        }
        let soundStart = picture(0).presentationTime.ticks(timescale: Int32(row.sampleRate))
        func sound(_ number: Int64) -> MediaPacket {
            let time = MediaTime(value: soundStart + (number - 1) * 1024, timescale: Int32(row.sampleRate))
            return TestPackets.sound(time, format: audio)
        }
        // Gaps are legal, and the clocks keep nothing but the last tick: most packets need not be there.
        let step: Int64 = Sample.depth() == .long ? 7 : 89
        let end: Int64 = 12 * 3600 * 30_000 / 1001
        var (nextPicture, nextSound, hasBegun) = (Int64(0), Int64(0), false)
        var count = 0
        while nextPicture < end {
            let (first, second) = (picture(nextPicture), sound(nextSound))
            let isPicture = first.decodeTime <= second.decodeTime
            for case .packet(let packet) in try timeline.place(isPicture ? first : second) {
                if !hasBegun {
                    // Both begin here: the first picture is decoded before the first sound.
                    hasBegun = true
                    let head = TestPackets.sound(second.presentationTime - first.presentationTime, format: audio)
                    for index in containers.indices { containers[index].clock.begin(with: [packet, head]) }
                }
                count += 1
                for index in containers.indices {
                    let isWhole = nextSound < 100
                    guard let fault = containers[index].fault(packet, isWhole: isWhole) else { continue }
                    Issue.record("\(containers[index].rules): \(packet.track) at \(packet.presentationTime): \(fault)")
                    return
                }
            }
            if isPicture {
                nextPicture += nextPicture < 200 ? 1 : step
            } else {
                nextSound += nextSound < 100 ? 1 : step
            }
        }
        #expect(count > Int(end / step))
    }
}
