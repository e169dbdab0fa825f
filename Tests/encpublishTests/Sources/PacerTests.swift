// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import Testing

@testable import encpublish

@Suite struct PacerTests {
    @Test("the first thing is due at once, later ones as much later as their times")
    func due() {
        var pacer = Pacer()
        #expect(pacer.due(MediaTime(value: 7, timescale: 1), now: 100) == 100)
        #expect(pacer.due(MediaTime(value: 15, timescale: 2), now: 100.1) == 100.5)
        // What comes late is caught up with: the clock stays the first one's.
        #expect(pacer.due(MediaTime(value: 8, timescale: 1), now: 200) == 101)
    }

    @Test("a test source gives pictures of the size and rate asked for, and they change", arguments: [false, true])
    func testVideo(showsFlashes: Bool) throws {
        let rate = FrameRate(numerator: 30_000, denominator: 1001)
        let source = TestVideo(showsFlashes: showsFlashes, size: .init(width: 64, height: 36), rate: rate)
        let limited = PacedSource(source, isPaced: false, duration: 1.05)
        var frames: [SourceFrame] = []
        while let frame = try limited.next() { frames.append(frame) }
        // 32 pictures start before 1.05 s, and the first flash is from 1 s on.
        #expect(frames.count == 32)
        #expect(frames[31].presentationTime == MediaTime(value: 31 * 1001, timescale: 30_000))
        #expect(frames.allSatisfy { $0.picture.width == 64 && $0.picture.height == 36 })
        let first = frames[0].picture.withPlane(0) { bytes, _ in Array(bytes) }
        let last = frames[31].picture.withPlane(0) { bytes, _ in Array(bytes) }
        #expect(first != last)
    }
}
