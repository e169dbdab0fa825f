// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Testing

@testable import encpublish

@Suite struct LiveSoundTests {
    /// Sound that comes in blocks of 20 ms, when the test says so.
    private final class Card {
        var ready: [SoundBlock] = []
        var isOver = false
    }

    private struct CardSource: LiveSoundSource {
        let card: Card
        var isOver: Bool { card.isOver }
        mutating func next() -> SoundBlock? { card.ready.isEmpty ? nil : card.ready.removeFirst() }
    }

    private func block(_ milliseconds: Int64) throws -> SoundBlock {
        try SoundBlock(
            samples: [Float](repeating: 0.25, count: 1920), channelCount: 2, sampleRate: 48_000,
            time: time(milliseconds))
    }

    private func time(_ milliseconds: Int64) -> MediaTime {
        MediaTime(value: milliseconds * 1000, timescale: 1_000_000)
    }

    @Test("sound that has not come yet does not end the sound, and comes with a later picture")
    func late() throws {
        let card = Card()
        nonisolated(unsafe) let source = CardSource(card: card)
        var feed = try SoundFeed(source, settings: AudioSettings())
        #expect(try feed.packets(from: time(100_000), until: time(100_033)).isEmpty)
        // Half a second, which begins before the first picture.
        card.ready = try (0..<25).map { try block(99_980 + $0 * 20) }
        let packets = try feed.packets(from: time(100_400), until: time(100_433))
        #expect(packets.count > 10)
        // Priming comes first; the sound before the picture is cut.
        let start = try #require(packets.first).presentationTime
        #expect(start < time(100_000) && start > time(99_970))
        #expect(packets.allSatisfy { $0.presentationTime <= time(100_460) })
    }

    @Test("at the end, what came up to the end of the last picture is there")
    func rest() throws {
        let card = Card()
        nonisolated(unsafe) let source = CardSource(card: card)
        var feed = try SoundFeed(source, settings: AudioSettings())
        var packets = try feed.packets(from: time(0), until: time(500))
        card.ready = try (0..<50).map { try block($0 * 20) }
        packets += try feed.finish()
        let last = try #require(packets.last)
        let end = last.presentationTime + (last.duration ?? .zero)
        #expect(end >= time(500) && end <= time(560), "\(end.seconds)")
    }

    @Test("a card that is gone ends the sound, and what came is complete")
    func gone() throws {
        let card = Card()
        nonisolated(unsafe) let source = CardSource(card: card)
        var feed = try SoundFeed(source, settings: AudioSettings())
        card.ready = try (0..<10).map { try block($0 * 20) }
        var packets = try feed.packets(from: time(0), until: time(100))
        card.isOver = true
        packets += try feed.packets(from: time(1000), until: time(1033))
        packets += try feed.finish()
        let last = try #require(packets.last)
        #expect(abs((last.presentationTime + (last.duration ?? .zero)).seconds - 0.2) < 0.03)
        #expect(try feed.packets(from: time(2000), until: time(2033)).isEmpty)
    }
}
