// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct RatePlannerTests {
    private func plan(
        _ control: RateControl, _ limits: [DataRateLimit] = [], leastBufferShare: Double = 0.2,
        isSteered: Bool = false, bounds: LevelPlanner.Bounds? = nil, framesPerSecond: Double = 30,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> RatePlanner.Plan {
        var configuration = SessionConfiguration(codec: .h264, width: 16, height: 16)
        configuration.live = LiveSettings(rateControl: control, dataRateLimits: limits)
        change(&configuration)
        return try RatePlanner(
            configuration: configuration, bounds: bounds, leastBufferShare: leastBufferShare, isSteered: isSteered,
            framesPerSecond: framesPerSecond
        ).plan()
    }

    @Test(
        "no window can carry more than its limit",
        arguments: [
            [DataRateLimit(bytes: 750_000, seconds: 1)], [DataRateLimit(bytes: 300_000, seconds: 0.5)],
            [DataRateLimit(bytes: 1_000_000, seconds: 1), DataRateLimit(bytes: 2_000_000, seconds: 10)],
            [DataRateLimit(bytes: 10_000_000, seconds: 1), DataRateLimit(bytes: 20_000, seconds: 0.01)],
        ], [RateControl.averageBitRate(4_000_000), .averageBitRate(100_000_000), .automatic, .constantRateFactor(23)])
    func limits(limits: [DataRateLimit], control: RateControl) throws {
        let buffer = try #require(try plan(control, limits).rate.buffer)
        #expect(buffer.peakBitsPerSecond > 0 && buffer.bits > 0)
        for limit in limits {
            #expect(Double(buffer.peakBitsPerSecond) * limit.seconds + Double(buffer.bits) <= Double(limit.bytes) * 8)
        }
    }

    @Test("a buffer that one picture's share makes larger loses nothing where libraries count in 1000 bits")
    func fewFrames() throws {
        let plan = try plan(.constantBitRate(1_000_000), framesPerSecond: 6)
        #expect(plan.rate.buffer == BufferModel(peakBitsPerSecond: 1_000_000, bits: 167_000))
    }

    @Test("the least constant rate has a buffer of the 1000 bits that libraries count in")
    func leastRate() throws {
        #expect(try plan(.constantBitRate(1000)).rate.buffer == BufferModel(peakBitsPerSecond: 1000, bits: 1000))
    }

    @Test("an average that a limit forbids becomes what it allows, and says so")
    func forbiddenAverage() throws {
        let plan = try plan(.averageBitRate(8_000_000), [DataRateLimit(bytes: 500_000, seconds: 1)])
        #expect(plan.rate.control == .averageBitRate(3_200_000))
        #expect(plan.adjustments.map(\.setting) == [.averageBitRate])
        #expect(plan.adjustments.first?.requested == "8000000 bit/s")
    }

    @Test(
        "the shorter the window, the larger the share of the buffer, from what the encoder says of one second",
        arguments: [
            (0.2, 0.01, 0.5), (0.2, 0.25, 0.4), (0.2, 1, 0.2), (0.2, 4, 0.1), (0.2, 100, 0.02), (0.5, 1, 0.5),
            (0.5, 4, 0.25), (0.1, 0.25, 0.2),
        ])
    func shares(least: Double, seconds: Double, share: Double) throws {
        let limit = DataRateLimit(bytes: Int(1_000_000 * seconds), seconds: seconds)
        let buffer = try #require(try plan(.averageBitRate(50_000_000), [limit], leastBufferShare: least).rate.buffer)
        #expect(abs(Double(buffer.bits) / (8_000_000 * seconds) - share) < 0.001)
    }

    @Test(
        "where the session steers, an average keeps its rate below any limit of a second or more, and the buffer its share",
        arguments: [
            (1.0, 1.0, 1_000_000, 200_000), (1.0, 1.1, 1_000_000, 220_000), (1.0, 2.0, 1_000_000, 1_000_000),
            (3.0, 1.0, 1_000_000, 346_410), (1.0, 0.5, 500_000, 100_000), (0.5, 1.0, 717_157, 141_421),
        ])
    func steered(seconds: Double, ratio: Double, peak: Int, bits: Int) throws {
        let limit = DataRateLimit(bytes: Int(125_000 * ratio * seconds), seconds: seconds)
        let plan = try plan(.averageBitRate(1_000_000), [limit], isSteered: true)
        let buffer = try #require(plan.rate.buffer)
        #expect(buffer.peakBitsPerSecond == peak && abs(buffer.bits - bits) <= 1)
        #expect(plan.rate.control == .averageBitRate(peak) && plan.adjustments.isEmpty == (peak == 1_000_000))
    }

    @Test(
        "a mode without a rate takes what the buffer's share leaves of a limit, as far as ceiling and level allow",
        arguments: [RateControl.automatic, .quality(0.5), .constantRateFactor(20)],
        [
            (1.0, nil, nil, 800_000, 200_000), (0.25, nil, nil, 600_000, 100_000), (4, nil, nil, 900_000, 400_000),
            (1, 700_000, nil, 700_000, 300_000), (1, nil, 600_000, 600_000, 400_000),
        ] as [(Double, Int?, Int?, Int, Int)])
    func capped(control: RateControl, row: (seconds: Double, ceiling: Int?, level: Int?, peak: Int, bits: Int)) throws {
        let bounds = row.level.map {
            LevelPlanner.Bounds(framesPerSecond: 60, bitsPerSecond: $0, bufferBits: 10_000_000)
        }
        let limit = DataRateLimit(bytes: Int(125_000 * row.seconds), seconds: row.seconds)
        for isSteered in [false, true] {
            let plan = try plan(control, [limit], isSteered: isSteered, bounds: bounds) {
                $0.bitRateCeiling = row.ceiling
            }
            #expect(plan.rate.buffer == BufferModel(peakBitsPerSecond: row.peak, bits: row.bits))
            #expect(plan.rate.control == control && plan.adjustments.isEmpty)
        }
    }

    @Test("a limit that the session does not steer bounds the bucket beside one that it does")
    func steeredBesideShort() throws {
        let limits = [DataRateLimit(bytes: 62_500, seconds: 0.5), DataRateLimit(bytes: 125_000, seconds: 1)]
        let both = try plan(.averageBitRate(1_000_000), limits, isSteered: true)
        #expect(both.rate == (try plan(.averageBitRate(1_000_000), [limits[0]]).rate))
    }

    @Test("an average alone has the documented buffer, quality alone has none")
    func unlimited() throws {
        #expect(
            try plan(.averageBitRate(1_000_000)).rate.buffer
                == BufferModel(peakBitsPerSecond: 1_000_000, bits: 2_500_000))
        for control in [RateControl.automatic, .quality(0.5), .constantRateFactor(20), .constantQuantizer(20)] {
            #expect(try plan(control).rate.buffer == nil)
        }
    }

    // MARK: - Buffers that are asked for

    @Test("a constant rate has its own rate as peak, and a buffer with which no second carries more than 1.15 times it")
    func constant() throws {
        let rate = try plan(.constantBitRate(1_000_000)).rate
        #expect(rate.control == .constantBitRate(1_000_000))
        #expect(rate.buffer == BufferModel(peakBitsPerSecond: 1_000_000, bits: 150_000))
    }

    @Test(
        "a variable rate has the peak asked for, or twice the rate as far as ceiling and level allow",
        arguments: [
            (nil, nil, nil, 2_000_000), (1_200_000, nil, nil, 1_200_000), (nil, 1_500_000, nil, 1_500_000),
            (nil, nil, 1_700_000, 1_700_000), (nil, 1_000_000, nil, 1_000_000),
        ] as [(Int?, Int?, Int?, Int)])
    func variable(asked: Int?, ceiling: Int?, level: Int?, peak: Int) throws {
        let bounds = level.map { LevelPlanner.Bounds(framesPerSecond: 60, bitsPerSecond: $0, bufferBits: 10_000_000) }
        let plan = try plan(.variableBitRate(1_000_000), bounds: bounds) {
            $0.live.vbvMaxBitRate = asked
            $0.bitRateCeiling = ceiling
        }
        #expect(plan.rate.control == .variableBitRate(1_000_000))
        #expect(plan.rate.buffer == BufferModel(peakBitsPerSecond: peak, bits: peak * 5 / 2))
        #expect(plan.adjustments.isEmpty)
    }

    @Test(
        "a buffer holds a picture's share and what the level allows, which is listed where a duration was asked for",
        arguments: [(0.5, 500_000, false), (0.001, 34_000, true), (100, 3_000_000, true)] as [(Double, Int, Bool)])
    func duration(seconds: Double, bits: Int, isListed: Bool) throws {
        let bounds = LevelPlanner.Bounds(framesPerSecond: 60, bitsPerSecond: 4_000_000, bufferBits: 3_000_000)
        let plan = try plan(.constantBitRate(1_000_000), bounds: bounds) { $0.live.vbvBufferDuration = seconds }
        #expect(plan.rate.buffer == BufferModel(peakBitsPerSecond: 1_000_000, bits: bits))
        #expect(plan.adjustments.map(\.setting) == (isListed ? [.vbvBufferDuration] : []))
    }

    @Test("a peak above the level, and a rate whose pictures it has no buffer for, are refused")
    func aboveLevel() throws {
        let bounds = LevelPlanner.Bounds(framesPerSecond: 60, bitsPerSecond: 2_000_000, bufferBits: 20_000)
        let peak = #expect(throws: EncoderError.self) {
            try plan(.variableBitRate(1_000_000), bounds: bounds) { $0.live.vbvMaxBitRate = 2_000_001 }
        }
        #expect(peak?.setting == .vbvMaxBitRate && peak?.reason.contains("2000001") == true)
        let buffer = #expect(throws: EncoderError.self) { try plan(.constantBitRate(1_000_000), bounds: bounds) }
        #expect(buffer?.setting == .profileLevel && buffer?.reason.contains("20000") == true)
    }
}
