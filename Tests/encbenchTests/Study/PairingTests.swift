// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import FoundationEssentials
@testable import MediaFiles
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct PairingTests {
    @Test(
        "low delay is around 2 Mbit/s at 720p30, and as many bits for each sample of other clips",
        arguments: [(1280, 720, 30, 2_000_000), (640, 360, 60, 1_000_000), (1280, 720, 15, 1_000_000)])
    func rates(width: Int, height: Int, framesPerSecond: Int, middle: Int) {
        let clip = VideoSourceInfo(
            formatName: "", pixelFormat: .i420, width: width, height: height,
            frameRate: FrameRate(numerator: framesPerSecond),
            timescale: 30)
        let rates = Pairing.live.rates(.x264, clip)
        #expect(rates == [4, 2, 1, 0.5, 0.25].map { .averageBitRate(Int(Double(middle) * $0)) })
        #expect(Pairing.best.rates(.x265, clip) == EncoderKind.x265.rates)
    }

    @Test("help says what each pairing is for, and that low delay gives H.265 more CPU time")
    func summaries() {
        let help = PlanCommand.helpMessage(columns: 1000).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for pairing in Pairing.all { #expect(help.contains("\(pairing.name): \(pairing.summary)"), "\(help)") }
        #expect(Pairing.lowDelay.summary.contains("several times the CPU time"))
    }

    @Test("names are checked, and options that say otherwise are refused")
    func refusals() throws {
        #expect(try OptionParsing.pairings("best,low-delay").map(\.name) == ["best", "low-delay"])
        #expect(throws: OptionError(.unknownName, "'worst', expected one of live, best, low-delay")) {
            try OptionParsing.pairings("worst")
        }
        #expect(throws: OptionError.self) { try OptionParsing.pairings("best,best") }
        for arguments in [
            ["--preset", "slow"], ["--qp", "30"], ["--anchor", "x"], ["--encoder", "x264,x265"], ["--cap", "1M"],
            ["--cap-window", "2"],
        ] {
            let error = #expect(throws: (any Error).self) {
                try PlanCommand.parse(["--pairing", "best"] + arguments)
            }
            #expect(error.map { PlanCommand.message(for: $0) }?.contains("leave \(arguments[0]) out") == true)
        }
    }

    @Test(
        "settings that a pairing has of its own are refused, and taken where it has none",
        arguments: [
            ["--profile-level", "h264-main-auto"], ["--entropy-mode", "cabac"], ["--real-time"],
            ["--no-frame-reordering"], ["--max-frame-delay-count", "9"],
        ])
    func ownSettings(arguments: [String]) throws {
        for pairing in ["low-delay", "low-delay,best"] {
            let error = #expect(throws: (any Error).self) {
                try PlanCommand.parse(["--pairing", pairing] + arguments)
            }
            #expect(error.map { PlanCommand.message(for: $0) }?.contains("leave \(arguments[0]) out") == true)
        }
        #expect(throws: Never.self) { try PlanCommand.parse(["--pairing", "best"] + arguments) }
    }

    @Test("the plan has both pairs, with the settings that live video is sent with")
    func plan() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let plan = try await CommandLineTool.encbench.run(["plan", input, "--pairing", "low-delay,best"])
            let study = try Manifest.study(plan.standardOutput, path: "")
            let best = ["medium", "slow", "veryslow"].map { "H.265 best \($0)" }
            #expect(study.variants.map(\.label) == ["H.264 low delay", "H.265 low delay", "H.264 best"] + best)
            #expect(study.pairs == [(0, 1), (2, 3), (2, 4), (2, 5)].map { Study.Pair(anchor: $0, test: $1) })
            #expect(study.points.count == 30 && !study.points.contains(where: \.isDefault))
            for (variant, profile) in [(0, "h264-baseline-auto"), (1, "hevc-main-auto")] {
                let settings = try #require(study.points.first { $0.variant == variant }).work.settings
                #expect(settings["ProfileLevel"] == profile && settings["RealTime"] == "true")
                #expect(settings["AllowFrameReordering"] == "false" && settings["MaxFrameDelayCount"] == "3")
                #expect(settings["H264EntropyMode"] == (variant == 0 ? "cavlc" : nil))
            }
        }
    }

    @Test("live encoders have their own profiles and no frame waits, and each preset of H.265 is held against H.264")
    func live() throws {
        let curves = try PlanCommand.parse(["--pairing", "live"]).curves()
        #expect(curves.variants.map(\.preset) == ["slower", "ultrafast", "superfast", "medium", "slow"])
        #expect(curves.variants.allSatisfy { $0.settings == ["RealTime=true", "AllowFrameReordering=false"] })
        #expect(curves.pairs == (1...4).map { Study.Pair(anchor: 0, test: $0) })
    }

    @Test("the report judges both pairs, and a clip of ten bits has those curves that it can have", .inTurn())
    func report() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 6, width: 128, height: 96), to: "in.y4m")
            var samples: [UInt8] = []
            for sample in 0..<64 * 64 * 3 / 2 { samples += [UInt8(truncatingIfNeeded: sample * 7), UInt8(sample % 4)] }
            let header: [UInt8] = Array("YUV4MPEG2 W64 H64 F30:1 C420p10\nFRAME\n".utf8)
            let ten = try folder.write(header + samples, to: "ten.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run([
                    "compare", input, ten, "--rounds", "0", "--pairing", "low-delay,best", "--json",
                    folder.path("r.json"),
                ])
            }
            #expect(error?.standardError.contains("1 of 2 clips lack what failed") == true)
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(try folder.read("r.json")))
            let best = ["medium", "slow", "veryslow"].map { "H.265 best \($0)" }
            #expect(report.verdict?.findings.map(\.h265) == ["H.265 low delay"] + best)
            #expect(report.notes.contains { $0.hasPrefix("H.264 low delay is x264 RealTime=true") })
            #expect(report.clips.map(\.pairs.count) == [4, 3])
            #expect(report.failures.map(\.point) == ["H.264 low delay", "H.265 low delay"])
        }
    }
}
