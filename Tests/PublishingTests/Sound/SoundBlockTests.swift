// SPDX-License-Identifier: MIT

import Publishing
import Testing

@Suite struct SoundBlockTests {
    @Test("a sample that is no number is refused with its place", arguments: [Float.nan, .infinity, -.infinity])
    func noNumber(sample: Float) {
        let error = #expect(throws: PublishingError.self) {
            try SoundBlock(samples: [0, 0, 0, sample], channelCount: 2, sampleRate: 48_000)
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.reason == "sample \(sample) in sample frame 1, channel 1, expected a finite number")
    }

    @Test("half sample frames, and numbers out of their ranges, are refused by value")
    func refused() {
        for (count, channels, rate) in [(3, 2, 48_000), (2, 0, 48_000), (2, 256, 48_000), (2, 2, 0), (2, 2, 768_001)] {
            #expect(throws: PublishingError.self) {
                try SoundBlock(samples: [Float](repeating: 0, count: count), channelCount: channels, sampleRate: rate)
            }
        }
    }

    @Test("16-bit samples have full scale at 32,768")
    func signed16() throws {
        let block = try SoundBlock(samples: [-32_768, 16_384, 0, 32_767] as [Int16], channelCount: 2, sampleRate: 8000)
        #expect(block.samples == [-1, 0.5, 0, 32_767 / 32_768] && block.frameCount == 2)
    }

    @Test("a callback's blocks come out as it gives them")
    func callback() throws {
        var rest = 2
        var source = SoundCallback { () throws(PublishingError) in
            rest -= 1
            return rest < 0 ? nil : try SoundBlock(samples: [Float(rest)], channelCount: 1, sampleRate: 8000)
        }
        #expect(try source.next()?.samples == [1])
        #expect(try source.next()?.samples == [0])
        #expect(try source.next() == nil)
    }
}
