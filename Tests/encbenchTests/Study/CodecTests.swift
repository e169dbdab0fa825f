// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchStudies
import CommandOptions
import EncoderAPI
import Testing

@testable import EncoderBench
@testable import encbench

/// Curves of encoders that have more than one codec.
@Suite struct CodecTests {
    private func labels(_ words: [String]) throws -> [String] {
        try PlanCommand.parse(words).curves().variants.map(\.label)
    }

    @Test("an encoder that has both codecs has that of the others, or those that are named")
    func curves() throws {
        #expect(try labels(["--encoder", "x265,vaapi"]) == ["x265 medium", "vaapi hevc"])
        #expect(try labels(["--encoder", "vaapi,x264"]) == ["vaapi h264", "x264 medium"])
        #expect(try labels(["--encoder", "vaapi"]) == ["vaapi h264"])
        #expect(try labels(["--encoder", "x264,x265,vaapi"]) == ["x264 medium", "x265 medium", "vaapi h264"])
        #expect(try labels(["--encoder", "x264,vaapi", "--codec", "hevc"]) == ["x264 medium", "vaapi hevc"])
        #expect(try labels(["--encoder", "vaapi", "--codec", "h264,hevc"]) == ["vaapi h264", "vaapi hevc"])
        #expect(try labels(["--variant", "x265:slow", "--variant", "vaapi"]) == ["x265 slow", "vaapi hevc"])
        let both = try PlanCommand.parse(["--encoder", "vaapi", "--codec", "h264,hevc"]).curves()
        #expect(both.pairs == [Study.Pair(anchor: 0, test: 1)])
    }

    @Test(
        "a codec that no encoder has is refused by its name",
        arguments: [
            (["--encoder", "x264", "--codec", "hevc"], "--encoder x264 encodes h264, but --codec asks for hevc"),
            (["--codec", "h264,h264"], "'h264' is listed twice"),
            (["--codec", "av1"], "'av1', expected h264 or hevc"),
            (["--variant", "vaapi", "--variant", "x264", "--codec", "h264,hevc"], "but --codec names 2 codecs"),
            (["--pairing", "best", "--codec", "hevc"], "leave --codec out"),
        ])
    func refusals(words: [String], message: String) {
        let error = #expect(throws: (any Error).self) { try PlanCommand.parse(words) }
        #expect(error.map { PlanCommand.message(for: $0) }?.contains(message) == true)
    }

    @Test("target refuses it too")
    func target() {
        let error = #expect(throws: (any Error).self) {
            try TargetCommand.parse(["--psnr", "40", "--encoder", "x264", "--codec", "hevc"])
        }
        let message = error.map { TargetCommand.message(for: $0) }
        #expect(message?.contains("--encoder x264 encodes h264, but --codec asks for hevc") == true)
    }

    @Test("a plan whose curve and points have different codecs is refused")
    func disagreement() throws {
        var study = try #require(try? Manifest.study(try Manifest.bytes(Studies.study()), path: "plan"))
        study.variants[1].codec = "h264"
        let error = #expect(throws: EncoderBenchError.self) { try study.checkAgreement() }
        #expect(error?.reason == "variants[1].codec h264, but point 5 has hevc")
    }
}
