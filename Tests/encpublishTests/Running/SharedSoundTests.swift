// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Testing

@testable import encpublish

@Suite struct SharedSoundTests {
    private func sound(among count: Int) throws -> SharedSound {
        let tone = try TestSignal.Sound(TestSignal(.tone), sampleRate: 48_000, channelCount: 2)
        return SharedSound(try SoundFeed(tone, settings: AudioSettings()), among: count)
    }

    @Test("each encoding has all packets once, however far it is")
    func all() throws {
        let sound = try sound(among: 2)
        var packets: [[MediaPacket]] = [[], []]
        // One is a second ahead of the other.
        for tick in 0...50 {
            let time = MediaTime(value: Int64(tick), timescale: 25)
            packets[0] += try sound.packets(of: 0, until: time)
            #expect(packets[0].allSatisfy { $0.presentationTime <= time })
            if tick >= 25 {
                packets[1] += try sound.packets(of: 1, until: MediaTime(value: Int64(tick - 25), timescale: 25))
            }
        }
        #expect(packets[0].count > packets[1].count + 40)
        for index in 0..<2 { packets[index] += try sound.rest(of: index) }
        #expect(packets[0].map(\.data) == packets[1].map(\.data) && packets[0].count > 90)
        #expect(packets[0].map(\.presentationTime) == packets[1].map(\.presentationTime))
        #expect(try sound.rest(of: 0).isEmpty)
    }

    @Test("sound begins with the first picture, whatever its time")
    func start() throws {
        let sound = try sound(among: 1)
        let start = MediaTime(value: 7, timescale: 2)
        let packets = try sound.packets(of: 0, until: start) + sound.rest(of: 0)
        let format = try #require(packets.first?.format.audio)
        #expect(packets.first?.presentationTime == start - format.duration(ofFrames: Int64(format.priming)))
    }

    @Test("sound lasts until the last picture's end", arguments: [1, 5, 40])
    func end(rate: Int32) throws {
        let sound = try sound(among: 1)
        var packets: [MediaPacket] = []
        for tick in 0..<6 {
            packets += try sound.packets(
                of: 0, until: MediaTime(value: Int64(tick), timescale: rate),
                duration: MediaTime(value: 1, timescale: rate))
        }
        packets += try sound.rest(of: 0)
        let last = try #require(packets.last)
        let end = (last.presentationTime + (last.duration ?? .zero)).seconds
        // A block of the signal and the encoder's last packet may be more.
        #expect((6 / Double(rate)...6 / Double(rate) + 0.1).contains(end), "\(end)")
    }
}
