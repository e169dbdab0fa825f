// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Testing

@Suite struct TestSignalTests {
    private func samples(_ signal: TestSignal, seconds: Int64, rate: Int = 48_000) throws -> [Float] {
        var sound = try TestSignal.Sound(
            signal, sampleRate: rate, channelCount: 1, duration: MediaTime(value: seconds, timescale: 1))
        var samples: [Float] = []
        while let block = try sound.next() {
            #expect(block.time == MediaTime(value: Int64(samples.count), timescale: Int32(rate)))
            samples += block.samples
        }
        return samples
    }

    @Test("beeps begin with each full second from the first on and last a tenth of one")
    func beeps() throws {
        let samples = try samples(TestSignal(.flashAndBeep), seconds: 3)
        #expect(samples.count == 144_000)
        #expect(samples[..<48_001].allSatisfy { $0 == 0 } && samples[48_002] != 0)
        #expect(samples[52_800..<96_000].allSatisfy { $0 == 0 } && samples[96_002] != 0)
        #expect(samples.max().map { abs($0 - 0.8) < 1e-4 } == true)
    }

    @Test("a tone has its frequency and is the same after hours as at the start", arguments: [440, 1000, 440.5])
    func tone(frequency: Double) throws {
        let samples = try samples(TestSignal(.tone, frequency: frequency, level: 1), seconds: 2, rate: 44_100)
        let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(rises) - 2 * frequency) <= 1)
    }

    @Test("pictures are white in a flash and black otherwise")
    func pictures() throws {
        let signal = TestSignal(.flashAndBeep)
        for (milliseconds, luma) in [(0, 16), (50, 16), (999, 16), (1000, 235), (1099, 235), (1100, 16), (2001, 235)]
            as [(Int64, UInt8)]
        {
            let picture = try signal.picture(at: .milliseconds(milliseconds), width: 17, height: 9)
            #expect(picture.width == 17 && picture.height == 9 && picture.format == .i420)
            picture.withPlane(0) { bytes, _ in #expect(bytes[0] == luma) }
            picture.withPlane(2) { bytes, _ in #expect(bytes[0] == 128) }
        }
    }

    @Test("numbers out of their ranges are refused by value")
    func refused() {
        for signal in [
            TestSignal(.tone, frequency: 24_000), TestSignal(.tone, frequency: 0.5),
            TestSignal(.tone, frequency: .nan), TestSignal(.tone, level: 1.1),
            TestSignal(.flashAndBeep, beepMilliseconds: 1000),
        ] {
            #expect(throws: PublishingError.self) { try TestSignal.Sound(signal) }
        }
        #expect(throws: PublishingError.self) { try TestSignal.Sound(TestSignal(.tone), sampleRate: 0) }
        #expect(throws: PublishingError.self) { try TestSignal.Sound(TestSignal(.tone), channelCount: 0) }
    }
}
