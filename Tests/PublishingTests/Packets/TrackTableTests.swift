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
}
