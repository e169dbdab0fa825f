// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Testing

@testable import VAAPIBackend

@Suite struct VARatePlanTests {
    private static let all = UInt32(VA_RC_CQP | VA_RC_CBR | VA_RC_VBR | VA_RC_ICQ | VA_RC_QVBR)
    private static let average = RateControl.averageBitRate(1_000_000)
    private static let buffer = BufferModel(peakBitsPerSecond: 1_000_000, bits: 2_500_000)

    private func settings(
        _ control: RateControl, hasBuffer: Bool = false, limits: [DataRateLimit] = []
    ) -> ResolvedSettings {
        var settings = ResolvedSettings(codec: .hevc, width: 640, height: 360)
        settings.live.rate = .init(control, buffer: hasBuffer || !limits.isEmpty ? Self.buffer : nil)
        settings.live.asked.dataRateLimits = limits
        return settings
    }

    private func modes(_ settings: ResolvedSettings, _ listed: UInt32 = all) -> [Int32] {
        VARatePlan.candidates(settings, modes: listed).map { Int32($0.mode) }
    }

    @Test("modes are tried from the one that serves best on")
    func order() {
        #expect(modes(settings(Self.average, hasBuffer: true)) == [VA_RC_VBR, VA_RC_CBR, VA_RC_CQP])
        let limits = [DataRateLimit(bytes: 250_000, seconds: 1)]
        #expect(modes(settings(Self.average, limits: limits)) == [VA_RC_VBR, VA_RC_CBR])
        #expect(modes(settings(.constantQuantizer(30))) == [VA_RC_CQP])
        #expect(modes(settings(.constantBitRate(1_000_000), hasBuffer: true)) == [VA_RC_CBR])
        #expect(modes(settings(.variableBitRate(1_000_000), hasBuffer: true)) == [VA_RC_VBR])
        #expect(modes(settings(.constantBitRate(1_000_000), hasBuffer: true), UInt32(VA_RC_VBR)) == [])
        #expect(modes(settings(.quality(0.5))) == [VA_RC_ICQ, VA_RC_CQP, VA_RC_VBR, VA_RC_CBR])
        #expect(modes(settings(.quality(0.5), limits: limits)) == [VA_RC_QVBR, VA_RC_VBR, VA_RC_CBR])
        #expect(modes(settings(.automatic), UInt32(VA_RC_VBR | VA_RC_QVBR)) == [VA_RC_VBR])
        #expect(modes(settings(.constantQuantizer(30)), UInt32(VA_RC_VBR)) == [])
    }

    /// Modes, the settings before, those asked for, and whether the open encoder goes on with them.
    private struct Change: Sendable, CustomTestStringConvertible {
        var modes = VARatePlanTests.all
        var from: RateControl
        var to: RateControl
        var goesOn: Bool

        var testDescription: String { "\(from) to \(to) with 0x\(String(modes, radix: 16))" }
    }

    @Test(
        "an open encoder goes on only in the mode that another would be opened with",
        arguments: [
            Change(from: average, to: .averageBitRate(500_000), goesOn: true),
            Change(from: .constantQuantizer(30), to: .constantQuantizer(31), goesOn: true),
            Change(from: .quality(0.5), to: .quality(0.7), goesOn: true),
            Change(from: .constantQuantizer(30), to: average, goesOn: false),
            Change(from: average, to: .constantQuantizer(30), goesOn: false),
            Change(from: average, to: .automatic, goesOn: false),
            Change(modes: UInt32(VA_RC_CQP | VA_RC_VBR), from: .automatic, to: average, goesOn: false),
            Change(modes: UInt32(VA_RC_CQP), from: .automatic, to: .quality(0.2), goesOn: true),
            // A constant quantizer that stands in for a bit rate: another encoder may find the rate control again.
            Change(modes: UInt32(VA_RC_CQP), from: average, to: .averageBitRate(500_000), goesOn: false),
        ])
    private func change(_ change: Change) throws {
        let isAverage = { (control: RateControl) in if case .averageBitRate = control { true } else { false } }
        let before = settings(change.from, hasBuffer: isAverage(change.from))
        let next = settings(change.to, hasBuffer: isAverage(change.to))
        let open = try #require(VARatePlan.candidates(before, modes: change.modes).first)
        let plan = open.changing(from: before, to: next, modes: change.modes)
        #expect((plan != nil) == change.goesOn)
        #expect(plan.map(\.mode) ?? open.mode == open.mode)
    }

    @Test("whatever the mode, what is not kept is listed")
    func adjustments() {
        for plan in VARatePlan.candidates(settings(.quality(1)), modes: Self.all) {
            #expect(plan.adjustments.contains { $0.setting == .quality && $0.requested == "1" }, "mode \(plan.mode)")
        }
        var named = settings(.quality(0.5))
        named.plan.level = 40
        for plan in VARatePlan.candidates(named, modes: Self.all) {
            let isListed = plan.adjustments.contains { $0.setting == .profileLevel }
            #expect(isListed == (plan.mostBitsPerSecond == 0), "mode \(plan.mode)")
        }
        let standIn = VARatePlan.candidates(settings(Self.average, hasBuffer: true), modes: UInt32(VA_RC_CQP)).first
        let told = standIn?.blaming(EncoderError(.timedOut, reason: "nothing came"))
        #expect(told?.adjustments.map(\.setting) == [.averageBitRate])
        #expect(told?.adjustments.first?.reason.contains("nothing came") == true)
    }

    @Test("a variable rate is a mean below the peak, in hundredths; a constant one is filled up")
    func variable() throws {
        var settings = settings(.variableBitRate(1_000_000), hasBuffer: true)
        settings.live.rate.buffer = BufferModel(peakBitsPerSecond: 3_000_000, bits: 7_500_000)
        let plan = try #require(VARatePlan.candidates(settings, modes: Self.all).first)
        #expect(plan.control.bits_per_second == 3_000_000 && plan.control.target_percentage == 33)
        #expect(plan.adjustments.map(\.setting) == [.variableBitRate])
        #expect(plan.adjustments.first?.used == "990000 bit/s")
        #expect(plan.control.rc_flags.bits.disable_bit_stuffing == 1)
        let constant = try #require(
            VARatePlan.candidates(self.settings(.constantBitRate(1_000_000), hasBuffer: true), modes: Self.all).first)
        #expect(constant.control.target_percentage == 100 && constant.adjustments.isEmpty)
        #expect(constant.control.rc_flags.bits.disable_bit_stuffing == 0)
    }

    /// The modes, the average, the limits, the level; what a driver is told.
    struct Headroom: Sendable, CustomTestStringConvertible {
        var modes = VARatePlanTests.all
        var average = 1_000_000
        var limits: [DataRateLimit] = []
        var level: Int?
        var percentage: Int
        var testDescription: String { "\(average) bit/s, level \(level ?? 0), \(limits.count) limits: \(percentage) %" }
    }

    @Test(
        "an average that nothing limits has headroom of twice its rate, as far as the level and its tier allow",
        arguments: [
            // Table A.9: level 6.2 has 240,000,000 bit/s in the Main tier, level 2.1 3,000,000, level 4 12,000,000, and
            // 30,000,000 in the High one.
            Headroom(percentage: 50), Headroom(average: 100_000_000, percentage: 50),
            Headroom(average: 200_000_000, percentage: 90), Headroom(average: 240_000_000, percentage: 100),
            Headroom(average: 2_000_000, level: 21, percentage: 70),
            Headroom(average: 3_000_000, level: 21, percentage: 100),
            Headroom(average: 11_000_000, level: 40, percentage: 100),
            Headroom(average: 15_000_000, level: 40, percentage: 50),
            Headroom(average: 20_000_000, level: 40, percentage: 70),
            Headroom(limits: [DataRateLimit(bytes: 250_000, seconds: 1)], percentage: 100),
            Headroom(modes: UInt32(VA_RC_CBR), percentage: 100),
        ])
    func headroom(_ row: Headroom) throws {
        var settings = settings(.averageBitRate(row.average), hasBuffer: true, limits: row.limits)
        settings.plan.level = row.level
        settings.live.rate.buffer = BufferModel(peakBitsPerSecond: row.average, bits: row.average * 5 / 2)
        let plan = try #require(VARatePlan.candidates(settings, modes: row.modes).first)
        #expect(plan.targetPercentage == row.percentage)
        let told = Int(plan.control.bits_per_second) * Int(plan.control.target_percentage) / 100
        #expect((row.average...row.average + 1).contains(told))
        #expect(plan.adjustments.isEmpty && plan.bufferBits == row.average * 5 / 2)
        #expect(plan.narrower.first == plan)
        #expect(plan.narrower.last?.mostBitsPerSecond == row.average)
        #expect(plan.narrower.allSatisfy { $0.mostBitsPerSecond <= plan.mostBitsPerSecond })
    }

    @Test("a picture's quantizer is a smallest one, within the bounds that are asked for, where a bit rate is kept")
    func coarsened() throws {
        var settings = settings(Self.average, hasBuffer: true)
        (settings.live.asked.minAllowedFrameQP, settings.live.asked.maxAllowedFrameQP) = (20, 40)
        let plan = try #require(VARatePlan.candidates(settings, modes: Self.all).first)
        #expect([nil, 10, 30, 51].map { plan.minQP(coarsenedTo: $0) } == [20, 20, 30, 40])
        let coarser = plan.with(minQP: 30).control
        #expect(coarser.min_qp == 30 && coarser.max_qp == 40 && plan.with(minQP: plan.minQP) == plan)
        let constant = try #require(
            VARatePlan.candidates(self.settings(.constantQuantizer(30)), modes: Self.all).first)
        #expect(constant.minQP(coarsenedTo: 45) == constant.minQP)
    }

    /// A quantizer; those of key frames, P pictures, B pictures that are references, and other B pictures.
    @Test(
        "key frames have three less than P pictures, B pictures a fifth more, or two where they are references",
        arguments: [
            (1, [1, 1, 1, 1]), (5, [2, 5, 6, 6]), (10, [7, 10, 12, 12]), (22, [19, 22, 24, 26]),
            (27, [24, 27, 29, 32]), (32, [29, 32, 34, 38]), (37, [34, 37, 39, 44]), (51, [48, 51, 51, 51]),
        ])
    func kinds(quantizer: Int, expected: [Int]) throws {
        let plan = try #require(
            VARatePlan.candidates(settings(.constantQuantizer(quantizer)), modes: Self.all).first)
        let found = plan.quantizers
        #expect([found.idr, found.p, found.middleB, found.b] == expected)
    }

    @Test("no kind of picture has a quantizer outside the bounds that are asked for")
    func bounded() throws {
        var settings = settings(.constantQuantizer(30))
        (settings.live.asked.minAllowedFrameQP, settings.live.asked.maxAllowedFrameQP) = (28, 33)
        let found = try #require(VARatePlan.candidates(settings, modes: Self.all).first).quantizers
        #expect([found.idr, found.p, found.middleB, found.b] == [28, 30, 32, 33])
    }
}
