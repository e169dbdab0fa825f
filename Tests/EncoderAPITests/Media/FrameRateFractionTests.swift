// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import EncoderAPI

@Suite struct FrameRateFractionTests {
    @Test("the rate of a duration is exact, in lowest terms", arguments: [1, 30, 600, 90_000, 1_000_000_000])
    func exact(timescale: Int32) throws {
        for ticks in [1, 7, 1001, 4_294_967_296, 5_000_000_000] as [Int64] {
            let rate = try #require(FrameRate(frameDuration: MediaTime(value: ticks, timescale: timescale)))
            guard rate.denominator <= Int32.max, ticks <= Int64(timescale) * 100 else { continue }
            let made = Int128(rate.numerator) * Int128(ticks)
            #expect(made == Int128(rate.denominator) * Int128(timescale))
        }
        let fiveSeconds = MediaTime(value: Int64(timescale) * 5, timescale: timescale)
        #expect(FrameRate(frameDuration: fiveSeconds)?.description == "1/5")
    }

    @Test("every duration of 1 ms to 100 s in every timescale gives terms of 31 bits, off by less than 2^-30")
    func bound() throws {
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let timescale = Int32.random(
                in: 1...(.max >> Int32.random(in: 0...30, using: &generator)), using: &generator)
            let least = max(Int64(timescale) / 1000, 1)
            let ticks = Int64.random(in: least...max(least, 100 * Int64(timescale)), using: &generator)
            let rate = try #require(FrameRate(frameDuration: MediaTime(value: ticks, timescale: timescale)))
            #expect((1...Int(Int32.max)).contains(rate.numerator) && (1...Int(Int32.max)).contains(rate.denominator))
            // |n/d - t/v| / (t/v) = |nv - dt| / dt
            let product = Int128(rate.denominator) * Int128(timescale)
            let error = (Int128(rate.numerator) * Int128(ticks) - product).magnitude
            #expect(error << 30 <= product.magnitude, "\(ticks)/\(timescale) became \(rate)")
        }
    }

    @Test("a duration of nothing, or less, tells no rate", arguments: [0, -1, .min] as [Int64])
    func nothing(ticks: Int64) {
        #expect(FrameRate(frameDuration: MediaTime(value: ticks, timescale: 30)) == nil)
    }

    @Test("the mean rate of frames over a span is exact where its terms fit")
    func mean() {
        #expect(FrameRate(frames: 48, in: MediaTime(value: 48_048, timescale: 30_000)) == FrameRate(29.97))
        #expect(FrameRate(frames: 3, in: MediaTime(value: 50, timescale: 1000)) == 60)
    }
}

@Suite struct PacedRateTests {
    @Test("an encoder that counts pictures is told as many bits per picture as the clock leaves it")
    func paced() {
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 64, frameRate: 30)
        let buffer = BufferModel(peakBitsPerSecond: 1_000_000, bits: 400_000)
        settings.live.rate = .init(.averageBitRate(900_000), buffer: buffer)
        #expect(settings.pacedRate == settings.live.rate)
        settings.live.pace = 60
        #expect(settings.pacedRate.control == .averageBitRate(450_000))
        #expect(settings.pacedRate.buffer == BufferModel(peakBitsPerSecond: 500_000, bits: 400_000))
        settings.live.rate.control = .constantRateFactor(20)
        #expect(settings.pacedRate.control == .constantRateFactor(20))
    }

    @Test(
        "what units of 1000 bit/s cannot tell is told as near as they can",
        arguments: [
            (1, 30, 60_000, 2000), (1, 25, 60_000, 2000), (1, 30.1, 60_000, 2000), (1, 30, 10_000, 1000),
            (30, 1, 10_000, 300_000),
        ] as [(FrameRate, FrameRate, Int, Int)])
    func units(opened: FrameRate, pace: FrameRate, average: Int, paced: Int) {
        var settings = ResolvedSettings(codec: .hevc, width: 64, height: 64, frameRate: opened)
        settings.live.rate = .init(
            .averageBitRate(average), buffer: BufferModel(peakBitsPerSecond: average, bits: 2 * average))
        settings.live.pace = pace
        #expect(settings.pacedRate.control == .averageBitRate(paced))
        #expect(settings.pacedRate.buffer?.peakBitsPerSecond == paced)
    }

    @Test("limits are no wider for the units of 1000 bit/s")
    func limits() {
        var settings = ResolvedSettings(codec: .hevc, width: 64, height: 64, frameRate: 1)
        settings.live.rate = .init(
            .constantRateFactor(20), buffer: BufferModel(peakBitsPerSecond: 60_000, bits: 60_000))
        settings.live.asked.dataRateLimits = [DataRateLimit(bytes: 15_000, seconds: 1)]
        settings.live.pace = 32
        #expect(settings.pacedRate.buffer?.peakBitsPerSecond == 1000)
    }
}
