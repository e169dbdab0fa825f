// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import TestSupport
import Testing

@testable import X264Backend

@Suite struct X264RateTests {
    private static let settings = ResolvedSettings(codec: .h264, width: 640, height: 360)

    private func rate(_ change: (inout ResolvedSettings) -> Void) throws -> X264Rate {
        try X264Rate(Self.settings.with(change))
    }

    @Test("better quality is a smaller factor, from 51 to 1", arguments: 0..<100)
    func monotone(percent: Int) {
        let factor = X264Rate.factor(quality: Double(percent) / 100)
        #expect((1...51).contains(factor))
        #expect(factor > X264Rate.factor(quality: Double(percent + 1) / 100))
    }

    @Test("normal quality is the program's default")
    func normal() throws {
        #expect(try rate { $0.live.rate = .init(.quality(0.5)) }.method == .factor(X264Rate.defaultFactor))
    }

    @Test("best quality is lossless where nothing stands against it")
    func lossless() throws {
        #expect(try rate { $0.live.rate = .init(.quality(1)) }.method == .quantizer(0))
        let bound = try rate {
            $0.live.rate = .init(.quality(1))
            $0.request.profileLevel.profile = .h264High
        }
        #expect(bound.method == .factor(1))
        #expect(bound.adjustments.map(\.setting) == [.quality])
    }

    @Test("an average that is no multiple of 1000 bit/s is rounded down and listed")
    func rounding() throws {
        let rate = try rate { $0.live.rate = .init(.averageBitRate(64_999)) }
        #expect(rate.method == .average(kilobits: 64))
        #expect(rate.adjustments.first?.used == "64000 bit/s")
        #expect(try self.rate { $0.live.rate = .init(.averageBitRate(64_000)) }.adjustments.isEmpty)
    }

    @Test("a buffer smaller than a picture's share lowers the peak, not the promise")
    func smallBuffer() throws {
        let rate = try rate {
            $0.live.rate = .init(
                .averageBitRate(2_000_000), buffer: BufferModel(peakBitsPerSecond: 3_000_000, bits: 50_000))
        }
        // 50 kbit at 30 pictures a second.
        #expect(rate.buffer?.maximum == 1500)
        #expect(rate.buffer?.size == 50)
        #expect(rate.method == .average(kilobits: 1500))
        #expect(rate.adjustments.map(\.setting) == [.dataRateLimits, .averageBitRate])
    }

    @Test(
        "a level bounds a rate factor, and lists that",
        arguments: [
            (nil, nil, 240, 625), (Profile.h264Main, nil, 192, 500), (.h264High, "ultrafast", 192, 500),
        ])
    func levelBound(profile: Profile?, preset: String?, peak: Int, size: Int) throws {
        let rate = try rate {
            $0.live.rate = .init(.constantRateFactor(1))
            $0.plan.level = 11
            $0.request.profileLevel.profile = profile
            $0.request.preset = preset
        }
        #expect(rate.buffer == KilobitRate.Buffer(maximum: peak, size: size))
        #expect(rate.adjustments.map(\.setting) == [.dataRateLimits])
    }

    @Test("a level that a constant quantizer may break is listed", arguments: [false, true])
    func levelWithQuantizer(isCeiling: Bool) throws {
        let rate = try rate {
            $0.live.rate = .init(.constantQuantizer(1))
            $0.plan.level = 11
            $0.request.bitRateCeiling = isCeiling ? 1_000_000 : nil
        }
        #expect(rate.buffer == nil)
        #expect(rate.adjustments.map(\.setting) == [isCeiling ? .bitRateCeiling : .profileLevel])
    }

    @Test(
        "only a peak at the average makes a constant bit rate", arguments: [(900, true), (1000, true), (1001, false)])
    func constantRate(peak: Int, isConstant: Bool) throws {
        let rate = try rate {
            $0.live.rate = .init(
                .averageBitRate(1_000_000), buffer: BufferModel(peakBitsPerSecond: peak * 1000, bits: 1_000_000))
        }
        #expect(rate.isConstantBitRate == isConstant)
    }

    @Test("live changes are those the library makes", arguments: LiveRow.rows)
    func liveChange(row: LiveRow) throws {
        let old = Self.settings.with(row.old)
        let new = Self.settings.with(row.new)
        let change = try X264LiveChange(
            from: old, to: new.live, isConstantBitRate: try X264Rate(old).isConstantBitRate,
            limits: KilobitRate.Buffer(maximum: 1500, size: 1000))
        switch change {
        case .none:
            #expect(row.isPossible)
            #expect(old.live.rate == new.live.rate)
        case .rate(let rate):
            #expect(row.isPossible)
            #expect(try rate == X264Rate(new))
        case .impossible: #expect(!row.isPossible)
        }
    }
}

/// Two settings, and whether libx264 goes from one to the other.
struct LiveRow: Sendable {
    let isPossible: Bool
    let old: @Sendable (inout ResolvedSettings) -> Void
    let new: @Sendable (inout ResolvedSettings) -> Void

    private static func rate(
        _ control: RateControl, peak: Int? = nil
    ) -> @Sendable (inout ResolvedSettings) -> Void {
        let buffer = peak.map { BufferModel(peakBitsPerSecond: $0, bits: 1_000_000) }
        return { $0.live.rate = LiveParameters.Rate(control, buffer: buffer) }
    }

    static let rows = [
        LiveRow(isPossible: true, old: rate(.automatic), new: rate(.automatic)),
        LiveRow(isPossible: true, old: rate(.automatic), new: rate(.constantRateFactor(30))),
        LiveRow(isPossible: true, old: rate(.quality(0.5)), new: rate(.quality(0.2))),
        LiveRow(isPossible: false, old: rate(.quality(0.5)), new: rate(.quality(1))),
        LiveRow(isPossible: false, old: rate(.automatic), new: rate(.automatic, peak: 2_000_000)),
        LiveRow(isPossible: true, old: rate(.automatic, peak: 1_000_000), new: rate(.automatic, peak: 1_400_000)),
        LiveRow(isPossible: false, old: rate(.averageBitRate(500_000)), new: rate(.averageBitRate(600_000))),
        LiveRow(
            isPossible: true, old: rate(.averageBitRate(500_000), peak: 500_000),
            new: rate(.averageBitRate(900_000), peak: 900_000)),
        LiveRow(
            isPossible: false, old: rate(.averageBitRate(500_000), peak: 750_000),
            new: rate(.averageBitRate(900_000), peak: 900_000)),
        LiveRow(
            isPossible: true, old: rate(.averageBitRate(500_000), peak: 750_000),
            new: rate(.averageBitRate(500_000), peak: 600_000)),
        LiveRow(isPossible: false, old: rate(.constantQuantizer(20)), new: rate(.constantQuantizer(21))),
        LiveRow(isPossible: false, old: rate(.automatic), new: { $0.live.asked.minAllowedFrameQP = 10 }),
        LiveRow(isPossible: true, old: rate(.automatic), new: { $0.live.pace = 60 }),
        LiveRow(isPossible: true, old: rate(.automatic), new: { $0.live.asked.maxKeyFrameInterval = 30 }),
        LiveRow(isPossible: true, old: rate(.automatic), new: { $0.live.asked.maxKeyFrameIntervalDuration = 1 }),
        LiveRow(
            isPossible: false, old: { $0.live.asked.maxKeyFrameInterval = 30 },
            new: { $0.live.asked.maxKeyFrameInterval = 31 }),
        LiveRow(isPossible: false, old: { $0.live.asked.maxKeyFrameInterval = 30 }, new: rate(.automatic)),
        LiveRow(
            isPossible: true, old: rate(.averageBitRate(500_000), peak: 500_000),
            new: rate(.averageBitRate(1_500_000), peak: 1_500_000)),
        LiveRow(
            isPossible: false, old: rate(.averageBitRate(500_000), peak: 500_000),
            new: rate(.averageBitRate(1_501_000), peak: 1_501_000)),
    ]
}
