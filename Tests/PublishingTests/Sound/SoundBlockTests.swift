// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
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
        for (count, channels, rate) in [(3, 2, 48_000), (2, 0, 48_000), (2, 256, 48_000), (2, 2, 768_001)] {
            #expect(throws: PublishingError.self) {
                try SoundBlock(samples: [Float](repeating: 0, count: count), channelCount: channels, sampleRate: rate)
            }
        }
    }

    @Test("rates at which a packet would wait for seconds are refused with the range", arguments: [-1, 0, 1, 7, 999])
    func lowRate(rate: Int) throws {
        let refusals: [() throws -> Void] = [
            { _ = try SoundBlock(samples: [0 as Float], channelCount: 1, sampleRate: rate) },
            { _ = try SoundBlock(samples: [0 as Int16], channelCount: 1, sampleRate: rate) },
            { _ = try PCMFile(path: "/dev/null", format: PCMFormat(sampleRate: rate, channelCount: 1)) },
            { _ = try TestSignal.Sound(TestSignal(.tone, frequency: 1), sampleRate: rate) },
            { _ = try AudioAligner(sampleRate: rate, base: .zero) },
        ]
        for refusal in refusals {
            let error = #expect(throws: PublishingError.self) { try refusal() }
            #expect(error?.code == .invalidValue)
            #expect(error?.reason.hasSuffix("sample rate \(rate), expected 1000...768000") == true, "\(error as Any)")
        }
    }

    @Test("the lowest and the highest rate make packets", .inTurn(), arguments: [1000, 768_000])
    func extremeRate(rate: Int) throws {
        for isTimed in [true, false] {
            let encoder = try AudioEncoder()
            var count = 0
            for second in 0..<2 as Range<Int64> {
                let block = try SoundBlock(
                    samples: [Float](repeating: 0.1, count: rate), channelCount: 1, sampleRate: rate,
                    time: isTimed ? MediaTime(value: second, timescale: 1) : nil)
                count += try encoder.encode(block).count
            }
            count += try encoder.finish().count
            // 2 s are 93.75 packets, and the encoder's own priming and end.
            #expect((94...96).contains(count), "\(count)")
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
