// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import Publishing

/// Times that nobody means: none traps, and what is refused leaves the clock as it was.
@Suite struct HostileTimesTests {
    private let video: FormatDescription
    private let audio: AudioFormat
    private let both: [TrackID] = [.video, .audio]

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat(priming: 1024)
    }

    /// A time at or near an end of what 64 bits hold, or an ordinary one.
    private func time(_ random: inout SeededGenerator) -> MediaTime {
        let timescales: [Int32] = [1, 2, 1000, 90_000, 1_000_000_000, .max - 1, .max]
        let values: [Int64] = [.min, .min + 1, .min / 2, -1, 0, 1, .max / 64, .max / 2, .max - 1, .max]
        let timescale = timescales.randomElement(using: &random) ?? 1
        guard Bool.random(using: &random) else {
            return MediaTime(
                value: Int64.random(in: -100...100, using: &random) * Int64(timescale), timescale: timescale)
        }
        return MediaTime(value: values.randomElement(using: &random) ?? 0, timescale: timescale)
    }

    private func packet(_ random: inout SeededGenerator) -> MediaPacket {
        let presentation = time(&random)
        let duration = Bool.random(using: &random) ? time(&random) : nil
        guard Bool.random(using: &random) else {
            return MediaPacket(format: audio, time: presentation, duration: duration, data: [1])
        }
        let isNear = Bool.random(using: &random)
        return MediaPacket(
            format: video, presentationTime: presentation, decodeTime: isNear ? presentation : time(&random),
            duration: duration, isKey: Bool.random(using: &random), data: [1], nalUnits: [0..<1])
    }

    private func clocks() -> [ContainerClock] {
        let rules: [ContainerClock.Rules] = [
            .flv(both), .transportStream(both), .matroska(both), .asf(both),
            .init(timescales: [.video: 90_000, .audio: 48_000], countsBelowZero: true),
            .init(timescales: [.video: .max, .audio: 768_000], countsBelowZero: true),
            .init(timescales: [.video: 1, .audio: 1], countsBelowZero: true),
        ]
        return rules.map { ContainerClock($0) }
    }

    /// Writes a packet as an output does: where it begins anew, it does so once.
    private func place(_ packet: MediaPacket, on clock: inout ContainerClock) -> ContainerClock.Placement {
        let placement = clock.place(packet)
        guard placement == .beginAnew else { return placement }
        clock.begin(with: [packet])
        return clock.place(packet)
    }

    @Test("a timeline takes or refuses any times, and what it takes has ticks in every container", .inTurn())
    func everyClock() throws {
        var random = SeededGenerator()
        var (taken, refused) = (0, 0)
        for round in 0..<5000 {
            var timeline = Timeline(tracks: both, backwardsTimes: round % 2 == 0 ? .rebased : .refused)
            var (clocks, queue) = (clocks(), SendQueue(tracks: both))
            for _ in 0..<20 {
                guard let events = try? timeline.place(packet(&random)) else {
                    refused += 1
                    continue
                }
                for case .packet(let packet) in events {
                    taken += 1
                    queue.push(packet)
                    for index in clocks.indices where place(packet, on: &clocks[index]) == .beginAnew {
                        Issue.record("\(packet.presentationTime) begins anew for ever")
                    }
                }
            }
        }
        #expect(taken > 1000 && refused > 1000, "\(taken) taken, \(refused) refused")
    }

    @Test("container clocks take any times without a timeline", .inTurn())
    func clocksAlone() {
        var random = SeededGenerator()
        for _ in 0..<5000 {
            var clocks = clocks()
            for _ in 0..<10 {
                let packet = packet(&random)
                for index in clocks.indices { _ = place(packet, on: &clocks[index]) }
            }
        }
    }

    @Test("a packet that is too far away is refused by value, and the clock goes on as if it had not come")
    func refused() throws {
        var timeline = Timeline(tracks: [.video], backwardsTimes: .rebased)
        func place(_ seconds: Int64, after decode: Int64 = 0) throws -> MediaTime? {
            let time = MediaTime(value: seconds, timescale: 1)
            let start = MediaTime(value: seconds - decode, timescale: 1)
            let packet = TestPackets.picture(time, decodedAt: start, format: video)
            guard case .packet(let placed)? = try timeline.place(packet).last else { return nil }
            return placed.presentationTime
        }
        for seconds in [Int64.max, .min, 1 << 33] {
            let error = #expect(throws: PublishingError.self) { try place(seconds) }
            #expect(error?.code == .invalidValue && error?.reason.contains("4294967296/1 s") == true)
        }
        #expect(timeline.base == nil)
        #expect(try place(-4_000_000_000) == .zero)
        // Near to the source's zero, far from the first picture.
        #expect(throws: PublishingError.self) { try place(4_000_000_000) }
        #expect(throws: PublishingError.self) { try place(-3_999_000_000, after: 86_401) }
        #expect(try place(-3_999_999_999) == MediaTime(value: 1, timescale: 1))
        #expect(try place(100) == MediaTime(value: 4_000_000_100, timescale: 1))
    }
}
