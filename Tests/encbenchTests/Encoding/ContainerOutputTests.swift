// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

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
            // Transport streams start late, by the time their clock needs, and FLV by the time of reordering, since it
            // counts decode times from zero; all times move alike.
            let shift = (times.first ?? 0) - (expected.first ?? 0)
            let late = name == "flv" ? -(report.accessUnits.map(\.dtsSeconds).min() ?? 0) : 0
            #expect(name == "ts" || abs(shift - late) < 0.002, "\(shift)")
            for (time, wanted) in zip(times, expected) { #expect(abs(time - shift - wanted) < 0.002) }
        }
    }

    @Test("what was written of a clip whose times are rounded is read again", .requiresProgram(.ffmpeg))
    func readAgain() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 26), to: "in.y4m")
            try await ExternalProgram.ffmpeg.run(["-v", "error", "-i", input, "-c:v", "ffv1", folder.path("in.mkv")])
            for name in ["mp4", "mkv", "ts", "flv"] {
                let (output, report) = (folder.path("out." + name), folder.path(name + ".json"))
                try await CommandLineTool.encbench.run([
                    "encode", folder.path("in.mkv"), "-o", output, "--encoder", "x264", "--preset", "veryfast",
                ])
                try await CommandLineTool.encbench.run([
                    "encode", output, "-o", folder.path("again.264"), "--preset", "ultrafast", "--json", report,
                ])
                let again = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read(name + ".json")))
                #expect(again.accessUnits.count == 26, "\(name)")
            }
        }
    }
}
