// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend

@Suite struct X264OptionRuleTests {
    @Test("what an option makes of bounds is refused with both names", arguments: NativeOptionRow.againstBounds)
    func contradictions(row: NativeOptionRow) {
        #expect(
            row.isRefusedForContradiction(by: X264Backend(), .h264),
            "\(row.refusal(by: X264Backend(), .h264)?.reason ?? "")")
    }

    @Test(
        "a rate factor that makes the stream lossless is refused beside limits and bounds",
        arguments: ["0", "0.3", "0.7"])
    func lossless(factor: String) throws {
        for row in [
            NativeOptionRow("crf=\(factor)", "DataRateLimits 100000/1.0") {
                $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
            },
            NativeOptionRow("crf=\(factor)", "BitRateCeiling 2000000 bit/s") { $0.bitRateCeiling = 2_000_000 },
            NativeOptionRow("crf=\(factor)", "ProfileLevel 3.1") { $0.profileLevel.level = 31 },
            NativeOptionRow("crf=\(factor)", "MinAllowedFrameQP 20 (quantizer)") { $0.live.minAllowedFrameQP = 20 },
            NativeOptionRow("crf=\(factor)", "MaxAllowedFrameQP 30 (quantizer)") { $0.live.maxAllowedFrameQP = 30 },
        ] {
            let error = try #require(row.refusal(by: X264Backend(), .h264), "\(row)")
            #expect((error.code, error.setting) == (.conflictingSettings, .nativeOptions))
            #expect(error.reason.contains("contradicts \(row.says)"), "\(error.reason)")
        }
    }

    @Test(
        "an option without effect, or that the stream or the library cannot have, is refused with what it needs",
        arguments: [
            NativeOptionRow(
                "crf-max=10", "it needs a constant rate factor, and limits: DataRateLimits, or vbv-maxrate"),
            NativeOptionRow("filler=1", "it needs limits"), NativeOptionRow("vbv-init=0.5", "it needs limits"),
            NativeOptionRow("colormatrix=GBR", "GBR is for 4:4:4 pictures"),
            NativeOptionRow("slice-max-size=2147483647", "a number in 0...268435455"),
            NativeOptionRow("keyint=infinite!", "infinite, or a number in 1...1073741824"),
            NativeOptionRow("keyint=0", "infinite, or a number in 1...1073741824"),
            NativeOptionRow("ratetol=infinity", "inf, or a number in 0.01...1000000000.0"),
            NativeOptionRow("ratetol=0", "inf, or a number in 0.01...1000000000.0"),
        ])
    func needs(row: NativeOptionRow) throws {
        let error = try #require(row.refusal(by: X264Backend(), .h264))
        #expect((error.code, error.setting) == (.invalidValue, .nativeOptions))
        #expect(error.reason.contains(row.says), "\(error.reason)")
    }

    @Test(
        "an option with what it needs, or within bounds, is taken, in either order",
        arguments: NativeOptionRow.withinBounds + [
            NativeOptionRow("vbv-bufsize=900", "") {
                $0.nativeOptions = [
                    NativeOption("crf-max", "40"), NativeOption("filler", "1"), NativeOption("vbv-maxrate", "900"),
                ]
            },
            NativeOptionRow("crf=0", ""), NativeOptionRow("crf=1", "") { $0.live.maxAllowedFrameQP = 30 },
            NativeOptionRow("ratetol=inf", ""), NativeOptionRow("ratetol=1.5", ""),
            NativeOptionRow("slice-max-size=1400", ""), NativeOptionRow("colormatrix=YCgCo", ""),
        ])
    func taken(row: NativeOptionRow) {
        let error = row.refusal(by: X264Backend(), .h264)
        #expect(error == nil, "\(error?.reason ?? "")")
    }

    @Test("an interval without end is taken, and listed")
    func infinite() async throws {
        let row = NativeOptionRow("keyint=infinite", "infinite")
        let adjustments = try await row.outcome(.maxKeyFrameInterval, of: X264Backend(), .h264).adjustments
        #expect(adjustments.first { $0.setting == .maxKeyFrameInterval }?.used == row.says)
    }
}
