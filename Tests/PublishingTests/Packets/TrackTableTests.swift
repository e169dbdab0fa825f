// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import Publishing

@Suite struct TrackTableTests {
    @Test("a value is found by its track, replaced, and taken away, and the others stay")
    func values() {
        let other = TrackID(.audio, number: 1)
        var table = TrackTable([(.video, 1), (.audio, 2), (.video, 3)])
        #expect(table.tracks == [.video, .audio] && table.values == [1, 2] && table[other] == nil)
        table[other] = 4
        table[.audio] = nil
        table[.video]? += 10
        #expect(table.tracks == [.video, other] && table.values == [11, 4] && table[.audio] == nil)
        table[.audio] = nil
        #expect(table.values == [11, 4])
    }

    @Test("of each track the format of its last packet is kept, and tracks without packets keep theirs")
    func formats() throws {
        let (old, new) = (try TestPackets.videoFormat(), try TestPackets.videoFormat(1))
        let sound = try TestPackets.audioFormat()
        var table = TrackTable<TrackFormat>()
        table.note([])
        #expect(table.tracks.isEmpty)
        table.note([TestPackets.picture(.zero, format: new), TestPackets.sound(.zero, format: sound)])
        table.note([old, new, old].map { TestPackets.picture(.zero, format: $0) })
        #expect(table[.video] == .video(old) && table[.audio] == .audio(sound))
    }
}
