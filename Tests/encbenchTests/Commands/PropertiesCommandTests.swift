// SPDX-License-Identifier: MIT

import BenchReports
import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct PropertiesCommandTests {
    @Test("the table and its JSON have every setting, and what an encoder does with it")
    func report() async throws {
        let output = try await CommandLineTool.encbench.run(["properties", "--encoder", "x264", "--json", "-"])
        let report = try JSONDecoder().decode(PropertiesReport.self, from: Data(output.standardOutput))
        let encoder = try #require(report.encoders.first)
        #expect(report.encoders.count == 1 && encoder.identifier == "x264.h264" && encoder.codec == "h264")
        #expect(encoder.properties.map(\.name) == SettingRow.all.map(\.setting.rawValue))
        let properties = Dictionary(uniqueKeysWithValues: encoder.properties.map { ($0.name, $0) })
        #expect(properties["MinAllowedFrameQP"]?.legal == "0...51" && properties["AverageBitRate"]?.effect == "live")
        #expect(properties["ExpectedFrameRate"]?.support == "hint" && properties["ForceKeyFrame"]?.effect == "frame")
        let text = try await CommandLineTool.encbench.run(["properties", "--encoder", "x264"]).text
        #expect(text == report.text && text.hasPrefix("x264.h264\nsetting"))
    }

    private func stream(_ arguments: [String], of video: [UInt8]) async throws -> [UInt8] {
        try await CommandLineTool.encbench.run(
            ["encode", "-", "-o", "-", "--codec", "h264", "--threads", "1"] + arguments, input: video
        ).standardOutput
    }

    @Test("a setting by its name does what its option does, over the options")
    func assignments() async throws {
        let rows = [
            (["--set", "maxkeyframeinterval=3"], ["--max-key-frame-interval", "3"]),
            (["--crf", "20", "--set", "ConstantRateFactor=35"], ["--crf", "35"]),
            (
                ["--set", "AllowFrameReordering=false", "--set", "Preset=veryfast"],
                ["--no-frame-reordering", "--preset", "veryfast"]
            ),
        ]
        let video = CommandLineTool.y4m(frames: 8)
        for (ours, theirs) in rows {
            let (set, option) = (try await stream(ours, of: video), try await stream(theirs, of: video))
            #expect(!set.isEmpty && set == option, "\(ours)")
        }
    }

    @Test("what became of a setting is said once, also when it shows while frames are encoded")
    func adjustments() async throws {
        let video = CommandLineTool.y4m(frames: 8)
        for (arguments, warning) in [
            (["--set", "Timescale=7"], "Timescale: 7 became"),
            (["--set", "SourceFrameCount=8"], "SourceFrameCount: 8 became"),
            (["--average-bit-rate", "8M", "--data-rate-limit", "500k/1"], "AverageBitRate: 8000000 bit/s became"),
        ] {
            let said = try await CommandLineTool.encbench.run(
                ["encode", "-", "-o", "-", "--codec", "h264"] + arguments, input: video
            ).standardError
            #expect(said.split(separator: "\n").filter { $0.contains(warning) }.count == 1, "\(said)")
        }
    }

    @Test(
        "a setting that cannot be is refused with what is legal, before anything is written",
        arguments: [
            ("Foo=1", "'Foo', expected one of AverageBitRate"), ("Quality=x", "Quality \"x\", expected a number"),
            ("Framing=annexb", "see --framing"), ("RealTime", "expected NAME=VALUE"),
            ("ForceKeyFrame=true", "goes with a frame"), ("Quality=2", "--quality 2.0, expected 0.0...1.0"),
            ("MinAllowedFrameQP=52", "expected 0...51"),
            ("AllowOpenGOP=true --codec hevc --force-key-frames 2", "--force-key-frames with open GOP"),
        ])
    func refused(arguments: String, reason: String) async throws {
        try await withTemporaryDirectory { folder in
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["encode", "-", "-o", folder.path("out.mp4"), "--set"]
                        + arguments.split(separator: " ").map(String.init),
                    input: CommandLineTool.y4m(frames: 1))
            }
            #expect(
                error?.reason == "exited(64)" && error?.standardError.contains(reason) ?? false,
                "\(String(describing: error))")
            #expect(throws: (any Error).self) { try folder.read("out.mp4") }
        }
    }
}
