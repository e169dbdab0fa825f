// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import TestSupport
import Testing

@Suite struct KilobitRateTests {
    private func rate(
        _ control: RateControl, _ buffer: BufferModel? = nil, framesPerSecond: Double = 30, pacedBy share: Double = 1,
        most: Int = 2_000_000
    ) throws -> KilobitRate {
        try KilobitRate(
            LiveParameters.Rate(control, buffer: buffer), framesPerSecond: framesPerSecond, pacedBy: share, most: most,
            library: "fake")
    }

    @Test("what becomes of a paced rate is told in seconds of the pictures")
    func paced() throws {
        let model = BufferModel(peakBitsPerSecond: 600_000, bits: 150_000)
        let rate = try rate(.averageBitRate(600_000), model, framesPerSecond: 1, pacedBy: 10)
        #expect(rate.average == 150 && rate.buffer == KilobitRate.Buffer(maximum: 150, size: 150))
        #expect(rate.adjustments.map(\.used) == ["15000 bit/s", "15000 bit/s"])
        #expect(rate.adjustments.first?.requested == "60000 bit/s from a buffer of 150000 bits")
        #expect(rate.adjustments.last?.requested == "60000 bit/s")
    }

    @Test("other modes than an average have none, and without a buffer nothing is bounded")
    func nothing() throws {
        for control in [RateControl.automatic, .quality(0.5), .constantRateFactor(20), .constantQuantizer(20)] {
            let rate = try rate(control)
            #expect(rate.average == nil && rate.buffer == nil && rate.adjustments.isEmpty)
        }
    }

    @Test(
        "averages are rounded down, and listed where that makes a difference",
        arguments: [
            (1000, 1, nil), (1999, 1, "1000 bit/s"), (64_000, 64, nil), (64_999, 64, "64000 bit/s"),
            (3_000_000_000, 2_000_000, "2000000000 bit/s"),
        ] as [(Int, Int, String?)])
    func averages(bitsPerSecond: Int, kilobits: Int, used: String?) throws {
        let rate = try rate(.averageBitRate(bitsPerSecond))
        #expect(rate.average == kilobits)
        #expect(rate.adjustments.map(\.used) == [used].compactMap { $0 })
        #expect(rate.adjustments.allSatisfy { $0.setting == .averageBitRate })
    }

    @Test("less than a unit is refused with its value")
    func tooLittle() throws {
        let average = try #require(throws: EncoderError.self) { try rate(.averageBitRate(999)) }
        #expect(average.setting == .averageBitRate && average.reason.contains("999"))
        for buffer in [BufferModel(peakBitsPerSecond: 999, bits: 9000), .init(peakBitsPerSecond: 9000, bits: 999)] {
            let error = try #require(throws: EncoderError.self) { try rate(.automatic, buffer) }
            #expect(error.setting == .dataRateLimits && error.reason.contains("999"))
        }
    }

    @Test("a buffer never promises more than it was made of, whatever the frame rate, and bounds the average")
    func buffers() throws {
        var random = SeededGenerator()
        for _ in 0..<5000 {
            let model = BufferModel(
                peakBitsPerSecond: Int.random(in: 1000...1 << Int.random(in: 10...40, using: &random), using: &random),
                bits: Int.random(in: 1000...1 << Int.random(in: 10...40, using: &random), using: &random))
            let framesPerSecond = Double.random(in: 0.01...1000, using: &random)
            let rate = try rate(.averageBitRate(5_000_000), model, framesPerSecond: framesPerSecond)
            let buffer = try #require(rate.buffer)
            #expect(1...2_000_000 ~= buffer.maximum && 1...2_000_000 ~= buffer.size)
            #expect(buffer.maximum * 1000 <= model.peakBitsPerSecond && buffer.size * 1000 <= model.bits)
            // One picture's share fits, or else one unit per second is left.
            #expect(Double(buffer.maximum) <= Double(buffer.size) * framesPerSecond || buffer.maximum == 1)
            #expect(try #require(rate.average) == min(5000, buffer.maximum))
            let isLowered = buffer.maximum < min(model.peakBitsPerSecond / 1000, 2_000_000)
            #expect(rate.adjustments.contains { $0.setting == .dataRateLimits } == isLowered)
            #expect(rate.adjustments.contains { $0.setting == .averageBitRate } == (buffer.maximum < 5000))
        }
    }
}
