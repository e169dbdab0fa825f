// SPDX-License-Identifier: MIT

import BenchReports
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct KeyFramesCommandTests {
    private func run(_ arguments: [String]) async throws -> KeyFrameReport {
        try await CommandLineTool.encbench.report(KeyFrameReport.self, ["keyframes"] + arguments)
    }

    @Test("keyframes tells which pictures are IDR and what they cost, as the stream and another encode have it")
    func keyFrames() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 30), to: "in.y4m")
            let options = ["--preset", "veryfast", "--qp", "30", "--threads", "1"]
            let forced = ["--force-key-frames", "7,8,20"]
            let report = try await run(
                [input, "--max-key-frame-interval", "12"] + options + forced)
            #expect(report.entries.map(\.variant) == ["x264 veryfast", "x265 veryfast"])
            for entry in report.entries {
                #expect(entry.keyFrames.map(\.frame) == [7, 8, 20] && entry.keyFrames.allSatisfy(\.isIDR))
                #expect(entry.otherKeyFrames == [0] && entry.intervals == [KeyFrameInterval(frames: 12)])
                for (name, words, bytes) in [("f", forced, entry.bytes), ("p", [], entry.plainBytes)] {
                    try await CommandLineTool.encbench.run(
                        [
                            "encode", input, "-o",
                            folder.path("o." + (entry.variant.hasPrefix("x264") ? "264" : "hevc")), "--json",
                            folder.path(name), "--max-key-frame-interval", "12",
                        ] + options + words)
                    let encode = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read(name)))
                    #expect(encode.bytes == bytes)
                    for key in entry.keyFrames {
                        let frame = try #require(encode.accessUnits.first { $0.frame == key.frame })
                        #expect(frame.bytes == (name == "f" ? key.bytes : key.plainBytes))
                        #expect(name == "p" || frame.sync)
                    }
                }
            }
        }
    }

    @Test(
        "what a key frame every so many seconds costs is told at the same quality, and lies between two encodes",
        .inTurn())
    func everySecond() async throws {
        try await withTemporaryDirectory { folder in
            let quick = ["--preset", "ultrafast", "--frames", "24", "--every", "0.25"]
            let report = try await run(quick)
            #expect(report.entries.map(\.variant) == ["x264 ultrafast", "x265 ultrafast"])
            for entry in report.entries {
                #expect(entry.keyFrames.map(\.frame) == [6, 12, 18] && entry.rate == "default")
                // A key frame costs bytes, and its neighbors' quality does not make up for all of them.
                let bytes = try #require(entry.bytesAtEqualQuality)
                #expect(bytes > Double(entry.plainBytes) && entry.equalQualityRates.count == 2, "\(entry)")
            }
            let input = try folder.write(CommandLineTool.y4m(frames: 9), to: "in.y4m")
            for (arguments, message) in [
                (["--every", "0.36"], "--every 0.36: the clip has 0.36 s, expected more than that"),
                (["--every", "1", "--force-key-frames", "3"], "--every and --force-key-frames exclude each other"),
                (["--every", "0"], "expected a number in 0.001...86400"),
            ] {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["keyframes", input] + arguments)
                }
                #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
                #expect(error?.reason == "exited(64)")
            }
            let all = try await run(
                [input, "--encoder", "x264", "--every", "0.001", "--qp", "30"])
            #expect(all.entries[0].keyFrames.map(\.frame) == Array(1..<9))
        }
    }

    @Test("without a wish three key frames part the clip, and what it does not have is refused")
    func usualKeyFrames() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 9), to: "in.y4m")
            let quick = ["--preset", "ultrafast", "--encoder", "x264"]
            let report = try await run([input] + quick)
            #expect(report.entries[0].keyFrames.map(\.frame) == [2, 4, 6])
            let one = try folder.write(CommandLineTool.y4m(frames: 1), to: "one.y4m")
            for (arguments, message, status) in [
                (
                    [input, "--force-key-frames", "3,9"],
                    "--force-key-frames: frame 9 cannot be a key frame, the clip has 9 frames\n", 64
                ),
                ([one, "--force-key-frames", "1"], "frame 1 cannot be a key frame, the clip has 1 frame\n", 64),
                ([one], "the clip has 1 frame, expected 2 or more", 1),
            ] {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["keyframes"] + arguments + quick)
                }
                #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
                #expect(error?.reason == "exited(\(status))")
            }
        }
    }
}
