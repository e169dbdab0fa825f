// SPDX-License-Identifier: MIT

import BenchReports
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct RealTimeCommandTests {
    private func run(_ arguments: [String]) async throws -> RealTimeReport {
        try await CommandLineTool.encbench.report(RealTimeReport.self, ["realtime"] + arguments)
    }

    @Test("realtime takes as long as the clip, at its own rate or the one that is asked")
    func realTime() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 12), to: "in.y4m")
            for (options, interval) in [([], 0.04), (["--fps", "50"], 0.02)] as [([String], Double)] {
                let report = try await run(
                    [input, "--average-bit-rate", "300k"] + options)
                #expect(report.entries.map(\.variant) == ["x264", "x265"] && report.failures.isEmpty)
                for entry in report.entries {
                    let frames = entry.frames
                    #expect(frames.count == 12 && entry.pace.interval == interval)
                    #expect(zip(frames, frames.dropFirst()).allSatisfy { abs($1.due - $0.due - interval) < 1e-6 })
                    #expect(frames.allSatisfy { $0.given >= $0.due && $0.out ?? .infinity >= $0.given })
                    // A busy machine comes to a frame late, and then to the next ones as well.
                    #expect(entry.pace.framesHeld < 12 && entry.pace.latencies != nil)
                }
            }
        }
    }

    @Test(
        "without a setting all encoders are held to the quality that the first has by its default, or to the one asked",
        .inTurn())
    func equalQuality() async throws {
        let quick = ["--frames", "8", "--preset", "ultrafast", "--threads", "1"]
        let report = try await run(quick)
        #expect(report.entries.map(\.variant) == ["x264 ultrafast", "x265 ultrafast"] && report.failures.isEmpty)
        let (first, second) = (try #require(report.entries.first), try #require(report.entries.last))
        let goal = try #require(first.equalQuality?.goal)
        #expect(first.rate == "default" && first.equalQuality?.psnr == goal && second.equalQuality?.goal == goal)
        #expect(second.rate.hasPrefix("crf ") && second.equalQuality?.psnr ?? 0 >= goal)
        let interpolated = try #require(second.equalQuality?.bytesAtGoal)
        #expect(interpolated <= Double(second.equalQuality?.bytes ?? 0))
        let asked = try await run(quick + ["--encoder", "x264", "--psnr", "36"])
        #expect(asked.entries.map(\.equalQuality?.goal) == [36] && asked.entries[0].equalQuality?.psnr ?? 0 >= 36)
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["realtime", "--psnr", "36", "--crf", "20"])
        }
        #expect(error?.standardError.contains("--psnr and --crf exclude each other") == true)
    }

    @Test("an encoder that is asked for the impossible does not keep up, and the report says so")
    func tooSlow() async throws {
        let output = try await CommandLineTool.encbench.run([
            "realtime", "--frames", "24", "--fps", "1000", "--encoder", "x265", "--preset", "fast", "--threads", "1",
        ])
        #expect(
            output.text.contains("  NO") && output.text.contains(" pictures were refused for want of room"),
            "\(output.text)")
    }
}
