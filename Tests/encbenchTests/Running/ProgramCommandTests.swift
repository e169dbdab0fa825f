// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import encbench

@Suite struct ProgramCommandTests {
    @Test("the programs' command lines say what the session does")
    func lines() {
        var work = Studies.study().points[0].work
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 48)
        settings.request.preset = "slow"
        settings.live.rate = .init(.constantRateFactor(21))
        settings.request.threadCount = 1
        #expect(
            ProgramCommand.line(.x264, settings, of: work)
                == "x264 --threads 1 --preset slow --crf 21 -o out.264 in.y4m")
        settings.live.rate = .init(
            .averageBitRate(800_000), buffer: BufferModel(peakBitsPerSecond: 1_200_000, bits: 900_000))
        settings.live.maxKeyFrameInterval = 50
        settings.request.nativeOptions = [NativeOption("aq-mode", "2")]
        #expect(
            ProgramCommand.line(.x265, settings, of: work)
                == "x265 --pools none --frame-threads 1 --no-open-gop --no-info --preset slow --bitrate 800 "
                + "--vbv-maxrate 1200 --vbv-bufsize 900 --keyint 50 --aq-mode 2 -o out.hevc in.y4m")
        #expect(ProgramCommand.line(.vaapi, settings, of: work) == nil)
        settings.request.realTime = true
        #expect(ProgramCommand.line(.x265, settings, of: work) == nil)
        settings.request.realTime = false
        #expect(ProgramCommand.line(.x265, settings, of: work) != nil)
        let changes: [(inout PointWork) -> Void] = [
            { $0.height = 47 }, { $0.width = 63 }, { $0.forcedKeyFrames = [1] },
            { $0.raw = PointWork.RawClip(pixelFormat: "i420", width: 64, height: 48) },
        ]
        for change in changes {
            let plain = work
            change(&work)
            #expect(ProgramCommand.line(.x265, settings, of: work) == nil)
            work = plain
        }
    }

    @Test("pictures of ten bits keep their depth, and quantizers that count otherwise are not given")
    func depth() {
        var work = Studies.study().points[0].work
        work.pixelFormat = "i010"
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 48)
        settings.live.rate = .init(.constantRateFactor(21))
        #expect(
            ProgramCommand.line(.x264, settings, of: work) == "x264 --crf 21 --output-depth 10 -o out.264 in.y4m")
        settings.live.rate = .init(.constantQuantizer(21))
        #expect(ProgramCommand.line(.x264, settings, of: work) == nil)
        #expect(ProgramCommand.line(.x265, settings, of: work)?.contains("--qp 21 --output-depth 10") == true)
    }

    @Test(
        "what is printed makes the stream that was measured, but for the text of its version",
        .requiresProgram(.x264), .requiresProgram(.x265), arguments: [(176, 144, ""), (96, 64, "p10")])
    func reproduction(width: Int, height: Int, depth: String) async throws {
        try await withTemporaryDirectory { folder in
            var bytes = Array("YUV4MPEG2 W\(width) H\(height) F25:1 Ip A1:1 C420\(depth)\n".utf8)
            for frame in 0..<4 {
                bytes += Array("FRAME\n".utf8)
                for sample in 0..<width * height * 3 / 2 {
                    bytes.append(UInt8(truncatingIfNeeded: sample &* (7 + sample / width) / 5 &+ frame * 2))
                    if !depth.isEmpty { bytes.append(UInt8(truncatingIfNeeded: sample) % 4) }
                }
            }
            let input = try folder.write(bytes, to: "in.y4m")
            let result = try await CommandLineTool.encbench.run([
                "compare", input, "--crf", "24", "--preset", "fast", "--json", "-",
            ])
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.standardOutput))
            for point in report.clips[0].points where !point.isDefault {
                let command = try #require(point.command)
                try await ExternalProgram("bash").run(["-c", "cd '\(folder.path)' && \(command) 2> /dev/null"])
                let stream = try folder.read(point.encoder == "x264" ? "out.264" : "out.hevc")
                // x264 writes its version and options into the stream; the session leaves that out.
                let version = stream.count - point.bytes
                #expect(point.encoder == "x264" ? (500...1000).contains(version) : version == 0, "\(version) bytes")
            }
        }
    }
}
