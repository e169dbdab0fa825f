// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265OptionRuleTests {
    @Test(
        "slices are refused beside pools without threads, which libx265 reads as it does numbers, and the error names both",
        arguments: [
            "-", "none", "0", "0,0", "none,none", "-,-", "-,+", "0,4", "NULL,-",
        ], [["pools", "slices"], ["slices", "numa-pools"]])
    func slicesWithoutThreads(pools: String, order: [String]) throws {
        let options = order.map { NativeOption($0, $0 == "slices" ? "2" : pools) }
        let error = try #require(throws: EncoderError.self) {
            try X265ParametersTests.parameters { $0.request.nativeOptions = options }
        }
        #expect((error.code, error.setting) == (.conflictingSettings, .nativeOptions))
        let other = try #require(order.first { $0 != "slices" })
        #expect(
            error.reason.contains("\"slices\" with \"2\" contradicts native option \"\(other)\" with \"\(pools)\""),
            "\(error.reason)")
    }

    @Test("slices are taken beside pools with threads", arguments: ["+", "*", "NULL", "1", "2", "2,0", "+,-"])
    func slicesWithThreads(pools: String) throws {
        _ = try X265ParametersTests.parameters {
            $0.request.nativeOptions = [NativeOption("pools", pools), NativeOption("slices", "2")]
        }
    }

    @Test(
        "pools have threads where a node has",
        arguments: [
            ("none", false), ("-", false), ("0", false), ("0,0", false), ("NULL,-", false), ("NULL", true),
            ("-,2", true),
            ("+", true), ("*", true), ("4", true),
        ])
    func pools(text: String, hasThreads: Bool) {
        var request = SessionConfiguration(codec: .hevc, width: 64, height: 64)
        request.nativeOptions = [NativeOption("pools", text)]
        #expect(X265Delay.usesPool(request) == hasThreads)
    }

    @Test("what an option makes of bounds is refused with both names", arguments: NativeOptionRow.againstBounds)
    func contradictions(row: NativeOptionRow) {
        #expect(
            row.isRefusedForContradiction(by: X265Backend(), .hevc),
            "\(row.refusal(by: X265Backend(), .hevc)?.reason ?? "")")
    }

    @Test(
        "an option without effect, or that the stream cannot have, is refused with what it needs",
        arguments: [
            NativeOptionRow(
                "crf-max=10", "it needs a constant rate factor, and limits: DataRateLimits, or vbv-maxrate"),
            NativeOptionRow("crf-min=30", "it needs a constant rate factor, and limits"),
            NativeOptionRow("vbv-init=0.5", "it needs limits"), NativeOptionRow("vbv-end=0.5", "it needs limits"),
            NativeOptionRow("const-vbv", "it needs limits"), NativeOptionRow("min-vbv-fullness=20", "it needs limits"),
            NativeOptionRow("max-vbv-fullness=90", "it needs limits"),
            NativeOptionRow("strict-cbr=1", "it needs an average bit rate, and limits"),
            NativeOptionRow("vbv-end-fr-adj=0.5", "it needs vbv-end and SourceFrameCount"),
            NativeOptionRow("colormatrix=gbr", "GBR is for 4:4:4 pictures"),
            NativeOptionRow("colormatrix=0", "matrix coefficients 1...2, 4...14"),
            NativeOptionRow("colorprim=reserved", "H.273 reserves the code, expected primaries 1...2, 4...12"),
            NativeOptionRow("transfer=0", "H.273 reserves the code"),
            NativeOptionRow(
                "display-window=16384,16384,16384,16384", "at most 159 together, top and bottom of at most 119"),
            NativeOptionRow("display-window=80,0,80,0", "at most 159"),
            NativeOptionRow("ipratio=-1", "a number in 0.01...10.0"), NativeOptionRow("ip-factor=0", "0.01...10.0"),
            NativeOptionRow("pbratio=-7", "a number in 0.01...10.0"), NativeOptionRow("cplxblur=-1", "0.0...1000.0"),
            NativeOptionRow("qblur=-0.5", "a number in 0.0...1000.0"),
        ])
    func needs(row: NativeOptionRow) throws {
        let error = try #require(row.refusal(by: X265Backend(), .hevc))
        #expect((error.code, error.setting) == (.invalidValue, .nativeOptions))
        #expect(error.reason.contains("cannot have the value") && error.reason.contains(row.says), "\(error.reason)")
    }

    @Test(
        "an option with what it needs, or within bounds, is taken, in either order",
        arguments: NativeOptionRow.withinBounds + [
            NativeOptionRow("strict-cbr=1", "") {
                $0.live.averageBitRate = 500_000
            },
            NativeOptionRow("qpmin=20", "") { $0.live.constantQuantizer = 30 },
            NativeOptionRow("lossless", ""), NativeOptionRow("display-window=80,0,79,0", ""),
            NativeOptionRow("colormatrix=ycgco", ""), NativeOptionRow("vbv-init=0.9", ""),
        ])
    func taken(row: NativeOptionRow) {
        let error = row.refusal(by: X265Backend(), .hevc)
        #expect(error == nil, "\(error?.reason ?? "")")
    }

    @Test("a number that libx265 only scales is not listed as another")
    func scaled() async throws {
        for value in ["7.5", "0.07", "33", "100"] {
            let row = NativeOptionRow("scenecut-bias=\(value)", "")
            #expect(try await row.outcome(.nativeOptions, of: X265Backend(), .hevc).adjustments.isEmpty)
        }
    }
}
