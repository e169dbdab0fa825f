// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import encbench

@Suite struct InspectTests {
    private func encode(_ output: String, _ folder: TemporaryDirectory, _ arguments: [String] = []) async throws {
        let input = try folder.write(CommandLineTool.y4m(frames: 10), to: "in.y4m")
        try await CommandLineTool.encbench.run(
            ["encode", input, "-o", folder.path(output), "--preset", "fast", "--max-key-frame-interval", "5"]
                + arguments)
    }

    @Test("units follow each other without gaps, each behind its start code", arguments: ["out.264", "out.265"])
    func elementaryStream(name: String) async throws {
        try await withTemporaryDirectory { folder in
            try await encode(name, folder)
            let bytes = try folder.read(name)
            let report = try FileInspector.inspect(folder.path(name))
            #expect(report.format == "elementary stream" && report.error == nil)
            var position = 0
            for unit in report.units {
                #expect(unit.offset == position && unit.error == nil)
                #expect(Array(bytes[position..<position + 4]) == [0, 0, 0, 1])
                position += 4 + unit.bytes
            }
            #expect(position == bytes.count)
            let isHEVC = name == "out.265"
            #expect(report.codec == (isHEVC ? "HEVC" : "H.264"))
            #expect(report.parameterSets.count == (isHEVC ? 6 : 4))
            #expect(report.parameterSets.allSatisfy { $0.error == nil && !$0.elements.isEmpty })
            let sps = try #require(report.parameterSets.first { $0.typeName.contains("SPS") || $0.typeName == "SPS" })
            let width = sps.elements.first {
                $0.name == (isHEVC ? "pic_width_in_luma_samples" : "pic_width_in_mbs_minus1")
            }
            #expect(width?.value == (isHEVC ? 64 : 3))
            let first = try #require(report.units.first)
            #expect(isHEVC ? first.layer == 0 && first.temporalID == 0 : first.reference == "highest")
        }
    }

    @Test(
        "containers hold the units of the stream, with the parameter sets in their header", arguments: ["mp4", "mkv"])
    func container(name: String) async throws {
        try await withTemporaryDirectory { folder in
            try await encode("out." + name, folder, ["--encoder", "x264"])
            let report = try FileInspector.inspect(folder.path("out." + name))
            #expect(report.format.contains(name == "mkv" ? "matroska" : name) && report.codec == "H.264")
            #expect(report.units.map(\.packet) == Array(0..<10))
            #expect(report.parameterSets.map(\.typeName).count == 2)
            #expect(report.parameterSets.allSatisfy { $0.unit == nil && $0.error == nil })
        }
    }

    @Test("a file cut anywhere gives what there is and never a crash")
    func cuts() async throws {
        try await withTemporaryDirectory { folder in
            try await encode("out.265", folder)
            let bytes = try folder.read("out.265")
            for count in stride(from: 5, to: min(bytes.count, 400), by: 7) {
                let path = try folder.write(bytes.prefix(count), to: "cut.265")
                let report = try? FileInspector.inspect(path)
                #expect(report?.units.reduce(0) { $0 + $1.bytes } ?? 0 <= count)
            }
        }
    }

    @Test("content decides what a file is")
    func guesses() {
        #expect(StreamGuess.isAnnexB([0, 0, 1, 0x67]))
        #expect(StreamGuess.isAnnexB([0, 0, 0, 0, 0, 1, 9]))
        #expect(!StreamGuess.isAnnexB([0, 0, 0, 1] + Array("ftypisom".utf8)))
        #expect(!StreamGuess.isAnnexB([0, 1, 0x67]))
        #expect(!StreamGuess.isAnnexB([0x47, 0, 0, 1]))
        #expect(!StreamGuess.isAnnexB([0, 0, 0]))
        #expect(StreamGuess.codec([0, 0, 1, 0x65, 0x88, 0x84, 0, 0, 1, 0x41, 0x9A, 0x20]) == .h264)
        #expect(StreamGuess.codec([0, 0, 1, 0x40, 1, 0xC, 0, 0, 1, 0x26, 1, 0xAF, 0, 0, 1, 2, 1, 0xD0]) == .hevc)
        #expect(StreamGuess.codec([0, 0, 1, 0xFF, 0xFF]) == nil)
    }

    @Test("what is neither stream nor container is refused in words")
    func refusals() async throws {
        try await withTemporaryDirectory { folder in
            for bytes in [[UInt8](), [0, 0, 1, 0xFF, 0xFF], Array("hello, world".utf8)] {
                let path = try folder.write(bytes, to: "x.264")
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["inspect", path])
                }
                #expect(error?.reason == "exited(1)")
                #expect(error?.standardError.hasPrefix("encbench: error: \(path)") == true)
            }
        }
    }
}

@Suite(.requiresProgram(.ffprobe)) struct ContainerOutputTests {
    @Test(
        "ffprobe reads from a container the times that were given",
        arguments: [
            ("mp4", "x264"), ("mp4", "x265"), ("mkv", "x264"), ("mkv", "x265"), ("ts", "x265"), ("flv", "x264"),
        ])
    func timestamps(name: String, encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 12), to: "in.y4m")
            let output = folder.path("out." + name)
            try await CommandLineTool.encbench.run([
                "encode", input, "-o", output, "--encoder", encoder, "--preset", "fast", "--json",
                folder.path("out.json"),
            ])
            let report = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("out.json")))
            let probe = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", output,
            ])
            let times = probe.text.split(whereSeparator: \.isNewline).compactMap { line in
                line.split(separator: ",").first.flatMap { Double($0) }
            }
            let expected = report.accessUnits.map(\.ptsSeconds)
            #expect(times.count == expected.count, "\(probe.text)")
            // Transport streams start late, by the time their clock needs; all times move alike.
            let shift = (times.first ?? 0) - (expected.first ?? 0)
            #expect(name == "ts" || abs(shift) < 0.002, "\(shift)")
            for (time, wanted) in zip(times, expected) { #expect(abs(time - shift - wanted) < 0.002) }
        }
    }
}
