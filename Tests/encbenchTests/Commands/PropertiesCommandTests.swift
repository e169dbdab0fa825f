// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import encbench

@Suite struct PropertiesCommandTests {
    @Test("the table and its JSON have every setting, and what an encoder does with it")
    func report() async throws {
        let output = try await CommandLineTool.encbench.run(["properties", "--encoder", "x264", "--json", "-"])
        let report = try JSONDecoder().decode(PropertiesReport.self, from: Data(output.standardOutput))
        let encoder = try #require(report.encoders.first)
        #expect(report.encoders.count == 1 && encoder.identifier == "x264" && encoder.codec == "h264")
        #expect(encoder.properties.map(\.name) == SettingRow.all.map(\.setting.rawValue))
        let properties = Dictionary(uniqueKeysWithValues: encoder.properties.map { ($0.name, $0) })
        #expect(properties["MinAllowedFrameQP"]?.legal == "0...51" && properties["AverageBitRate"]?.effect == "live")
        #expect(properties["ExpectedFrameRate"]?.support == "hint" && properties["ForceKeyFrame"]?.effect == "frame")
        let text = try await CommandLineTool.encbench.run(["properties", "--encoder", "x264"]).text
        #expect(text == report.text && text.hasPrefix("x264: h264\nsetting"))
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
            let streams = try await [ours, theirs].asyncMap { arguments in
                try await CommandLineTool.encbench.run(
                    ["encode", "-", "-o", "-", "--codec", "h264", "--threads", "1"] + arguments, input: video
                ).standardOutput
            }
            #expect(!streams[0].isEmpty && streams[0] == streams[1], "\(ours)")
        }
    }

    @Test(
        "a setting that cannot be is refused with what is legal, before anything is written",
        arguments: [
            ("Foo=1", "'Foo', expected one of AverageBitRate"), ("Quality=x", "Quality \"x\", expected a number"),
            ("Framing=annexb", "see --framing"), ("RealTime", "expected NAME=VALUE"),
            ("ForceKeyFrame=true", "goes with a frame"), ("Quality=2", "Quality 2.0, expected 0.0...1.0"),
            ("MinAllowedFrameQP=52", "expected 0...51"),
        ])
    func refused(assignment: String, reason: String) async throws {
        try await withTemporaryDirectory { folder in
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["encode", "-", "-o", folder.path("out.h264"), "--set", assignment],
                    input: CommandLineTool.y4m(frames: 1))
            }
            #expect(
                error?.reason == "exited(64)" && error?.standardError.contains(reason) ?? false,
                "\(String(describing: error))")
            #expect(throws: (any Error).self) { try folder.read("out.h264") }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
