// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// Bit rates that commands report.
@Suite struct BitRateTests {
    @Test(
        "the report has the bit rate that was asked for, in modes that have one",
        arguments: [
            (["--average-bit-rate", "20000"], 20_000), (["--set", "VariableBitRate=5000000"], 5_000_000),
            (["--crf", "30"], nil),
        ] as [([String], Int?)])
    func asked(options: [String], asked: Int?) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 10), to: "in.y4m")
            try await CommandLineTool.encbench.run(
                [
                    "encode", input, "-o", folder.path("o.264"), "--json", folder.path("r.json"), "--preset",
                    "ultrafast",
                ] + options)
            let report = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("r.json")))
            #expect(report.askedBitsPerSecond == asked)
        }
    }

    @Test("bit rates of a clip in Matroska are those of its frames at its rate", .requiresProgram(.ffmpeg))
    func matroska() async throws {
        try await withTemporaryDirectory { folder in
            var bytes = CommandLineTool.y4m(frames: 26)
            bytes.replace(Array("F25:1".utf8), with: Array("F24:1".utf8))
            let input = try folder.write(bytes, to: "in.y4m")
            let file = folder.path("in.mkv")
            try await ExternalProgram.ffmpeg.run(["-v", "error", "-i", input, "-c:v", "ffv1", file])
            for frames in 23...26 {
                let options = ["--qp", "30", "--preset", "ultrafast", "--frames", "\(frames)"]
                let seconds = Double(frames) / 24
                let output = try await CommandLineTool.encbench.run(
                    ["compare", file, "--rounds", "0", "--encoder", "x264", "--json", "-"] + options)
                let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
                let clip = try #require(report.clips.first)
                #expect(clip.framesPerSecond == 24 && abs(clip.seconds - seconds) < 1e-12)
                for point in clip.points {
                    #expect(abs(point.bitsPerSecond / (Double(point.bytes) * 8 / seconds) - 1) < 1e-12)
                }
                try await CommandLineTool.encbench.run(
                    ["encode", file, "-o", folder.path("o.264"), "--json", folder.path("r.json")] + options)
                let encode = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("r.json")))
                let rate = try #require(encode.bitsPerSecond)
                #expect(abs(rate / (Double(encode.bytes) * 8 / seconds) - 1) < 1e-12)
            }
        }
    }
}
