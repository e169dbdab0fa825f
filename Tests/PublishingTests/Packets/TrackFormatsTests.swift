// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import Publishing

@Suite struct TrackFormatsTests {
    @Test("of each track the format of its last packet is kept, and tracks without packets keep theirs")
    func formats() throws {
        let (old, new) = (try TestPackets.videoFormat(), try TestPackets.videoFormat(1))
        let sound = try TestPackets.audioFormat()
        var formats = TrackFormats([.audio: .audio(sound)])
        var isNew = formats.note([])
        #expect(!isNew && formats.table.tracks == [.audio])
        isNew = formats.note([TestPackets.picture(.zero, format: new), TestPackets.sound(.zero, format: sound)])
        #expect(isNew && formats.table[.video] == .video(new) && formats.table[.audio] == .audio(sound))
        isNew = formats.note([TestPackets.sound(.zero, format: sound), TestPackets.picture(.zero, format: new)])
        #expect(!isNew)
        isNew = formats.note([old, new, old].map { TestPackets.picture(.zero, format: $0) })
        #expect(isNew && formats.table[.video] == .video(old) && formats.table[.audio] == .audio(sound))
    }
}
