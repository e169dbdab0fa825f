// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct MeasureCommandTests {
    @Test(
        "a file is as large and as good as the comparison that made it said, in any container",
        arguments: ["x264", "x265"])
    func agreement(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 12, width: 96), to: "in.y4m")
            let options = ["--preset", "ultrafast", "--qp", "30", "--encoder", encoder]
            let result = try await CommandLineTool.encbench.run(
                ["compare", input, "--rounds", "0", "--json", "-"] + options)
            let compared = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.standardOutput))
            let point = try #require(compared.clips.first?.points.first)
            for name in [encoder == "x264" ? "out.264" : "out.hevc", "out.mkv", "out.mp4"] {
                try await CommandLineTool.encbench.run(
                    ["encode", input, "-o", folder.path(name), "--threads", "1"] + options)
                let output = try await CommandLineTool.encbench.run(
                    ["measure", input, folder.path(name), "--json", "-"])
                let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
                let measured = try #require(report.clips.first?.points.first)
                #expect(measured.scores == point.scores && measured.frames.values == point.frames.values)
                #expect(measured.frames.isSync == point.frames.isSync)
                // Frames of a bare stream with reordered pictures have no times that tell their order.
                #expect(measured.bytes == point.bytes, "\(name)")
                #expect(measured.frames.bytes == point.frames.bytes || name == "out.hevc", "\(name)")
                #expect(report.notes.allSatisfy { !$0.contains("user data") })
            }
        }
    }

    @Test(
        "a stream is as large in a container as bare, and without the encoder's user data, which is told",
        .requiresProgram(.ffmpeg),
        arguments: [("libx264", "264", "6"), ("libx265", "hevc", "39-40")])
    func configuration(encoder: String, bare: String, messages: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 6, width: 96), to: "in.y4m")
            // Four bytes before each unit, as lengths have them.
            let whole = folder.path("whole.mp4")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", input, "-c:v", encoder, "-preset", "ultrafast", whole,
            ])
            var sizes: [Int] = []
            for name in ["a.mkv", "a.mov", "a." + bare] {
                let file = folder.path(name)
                try await ExternalProgram.ffmpeg.run(["-v", "error", "-i", whole, "-c", "copy", file])
                let output = try await CommandLineTool.encbench.run(["measure", input, file, "--json", "-"])
                let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
                sizes.append(try #require(report.clips.first?.points.first).bytes)
                #expect(report.notes.contains { $0.contains(" bytes of user data") }, "\(report.notes)")
            }
            let plain = folder.path("plain.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", whole, "-c", "copy", "-bsf:v", "filter_units=remove_types=\(messages)", plain,
            ])
            let output = try await CommandLineTool.encbench.run(["measure", input, plain, "--json", "-"])
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
            #expect(try #require(report.clips.first?.points.first).bytes == sizes[0], "\(sizes)")
            // Start codes behind the first of an access unit may be a byte shorter than lengths.
            #expect(sizes[0] == sizes[1] && (0...12).contains(sizes[0] - sizes[2]), "\(sizes)")
        }
    }

    @Test(
        "a file of ten bits is compared with a reference of eight in ten, and is equal where it lost nothing",
        .requiresProgram(.ffmpeg))
    func deeper() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 3, width: 128, height: 96), to: "in.y4m")
            var points: [ComparisonReport.Point] = []
            for (name, parameters) in [("equal", "lossless=1"), ("coarse", "qp=40")] {
                let file = folder.path(name + ".mkv")
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-i", input, "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
                    "-x265-params", "log-level=none:" + parameters, file,
                ])
                let output = try await CommandLineTool.encbench.run(["measure", input, file, "--json", "-"])
                let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
                let clip = try #require(report.clips.first)
                #expect(
                    clip.notes.contains { $0.contains("compared with 10 bits, to which the clip's 8 were shifted") })
                points.append(try #require(clip.points.first))
            }
            #expect(points.allSatisfy { $0.frames.bitDepth == 10 } && points[0].scores["psnr_y_db"] == .some(nil))
            #expect((15.0...45).contains(points[1].value("psnr_y_db") ?? 0))
        }
    }

    @Test("files of two names are compared at equal quality", .requiresProgram(.ffmpeg))
    func curves() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 5, width: 96), to: "in.y4m")
            var files: [String] = []
            for (label, codec) in [("mpeg4", "mpeg4"), ("mpeg2", "mpeg2video")] {
                for quality in [2, 4, 8, 16, 31] {
                    let path = folder.path("\(label)-\(quality).mkv")
                    try await ExternalProgram.ffmpeg.run([
                        "-v", "error", "-i", input, "-c:v", codec, "-q:v", "\(quality)", "-bf", "0", path,
                    ])
                    files.append("\(label)=\(path)")
                }
            }
            let text = try await CommandLineTool.encbench.run(["measure", input, "--verbose"] + files).text
            #expect(text.contains("mpeg2 against mpeg4, which counts as 100 %:"))
            #expect(
                text.contains("At equal quality it needs ") && text.contains("Codecs: mpeg4; mpeg2video."), "\(text)")
        }
    }

    @Test("curves of H.264 and H.265 get a verdict, whatever made the files")
    func verdict() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 5, width: 96), to: "in.y4m")
            var files: [String] = []
            for (label, encoder, suffix) in [("gpu", "x264", "mp4"), ("cpu", "x265", "mkv")] {
                for quantizer in ["20", "26", "32", "38"] {
                    let path = folder.path("\(label)-\(quantizer).\(suffix)")
                    try await CommandLineTool.encbench.run(
                        ["encode", input, "-o", path, "--encoder", encoder, "--preset", "ultrafast", "--qp", quantizer])
                    files.append("\(label)=\(path)")
                }
            }
            let text = try await CommandLineTool.encbench.run(["measure", input, "--verbose"] + files).text
            #expect(text.contains("\n\(Verdict.claim)?\n\n") && text.contains(": cpu needs "), "\(text)")
            let reversed = try await CommandLineTool.encbench.run(["measure", input, "--verbose"] + files.reversed())
                .text
            // Whichever is the anchor, H.265 is judged against H.264.
            #expect(reversed.contains("\n\(Verdict.claim)?\n\n") && reversed.contains(": cpu needs "), "\(reversed)")
        }
    }

    @Test("a file with more or fewer pictures is refused, and the others are measured")
    func counts() async throws {
        try await withTemporaryDirectory { folder in
            let clip = CommandLineTool.y4m(frames: 6)
            let input = try folder.write(clip, to: "in.y4m")
            for (name, frames) in [("less.264", "4"), ("all.264", "6")] {
                try await CommandLineTool.encbench.run(
                    ["encode", input, "-o", folder.path(name), "--frames", frames, "--qp", "30"])
            }
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    [
                        "measure", input, folder.path("less.264"), folder.path("all.264"), "--json",
                        folder.path("r.json"),
                    ])
            }
            #expect(error?.standardError.contains("less.264: has 4 pictures, the reference has more") == true)
            let cut = try folder.write(CommandLineTool.y4m(frames: 5), to: "cut.y4m")
            let more = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["measure", cut, folder.path("all.264")])
            }
            #expect(more?.standardError.contains("has more pictures than the reference, which has 5") == true)
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(try folder.read("r.json")))
            #expect(report.clips.first?.points.map(\.variant) == ["all.264"] && report.failures.count == 1)
        }
    }

    @Test("samples of another range are not compared with the reference's", .requiresProgram(.ffmpeg))
    func ranges() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let full = folder.path("full.mkv")
            _ = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", input, "-vf", "scale=out_range=full", "-pix_fmt", "yuvj420p", "-c:v", "ffv1", full,
            ])
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["measure", input, full])
            }
            #expect(
                error?.standardError.contains(
                    "full.mkv: its samples have the full range, the reference's the limited one")
                    == true, "\(error?.standardError ?? "")")
        }
    }

    @Test("with a number of frames the first of both are compared, and counted", arguments: ["mkv", "264"])
    func firstFrames(container: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 8), to: "in.y4m")
            let file = folder.path("all." + container)
            try await CommandLineTool.encbench.run(
                ["encode", input, "-o", file, "--qp", "30", "--max-key-frame-interval", "4", "--no-frame-reordering"])
            func clip(_ options: [String]) async throws -> ComparisonReport {
                let output = try await CommandLineTool.encbench.run(["measure", input, file, "--json", "-"] + options)
                return try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
            }
            let all = try #require(try await clip([]).clips.first)
            let report = try await clip(["--frames", "5"])
            let first = try #require(report.clips.first)
            #expect(all.frames == 8 && !all.isCut && first.frames == 5 && first.isCut)
            let (whole, part) = (try #require(all.points.first).frames, try #require(first.points.first).frames)
            #expect(part.bytes == Array(whole.bytes.prefix(5)) && part.isSync == [true, false, false, false, true])
            #expect(part.values["mse_y"] == whole.values["mse_y"].map { Array($0.prefix(5)) })
            #expect(report.notes.contains { $0.contains("first 5 in coding order") } == (container == "264"))
        }
    }

    @Test("a raw reference has the rate that it is said to have, and a file with a header none to be said")
    func rawRate() async throws {
        try await withTemporaryDirectory { folder in
            let raw = try folder.write(
                (0..<4 * 64 * 64 * 3 / 2).map { UInt8(truncatingIfNeeded: $0 / 64) }, to: "in.yuv")
            let file = folder.path("out.mkv")
            let size = ["--size", "64x64"]
            try await CommandLineTool.encbench.run(["encode", raw, "-o", file, "--qp", "30"] + size)
            var rates: [Double] = []
            for options in [[], ["--expected-frame-rate", "50"]] {
                let output = try await CommandLineTool.encbench.run(
                    ["measure", raw, file, "--json", "-"] + size + options)
                let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
                rates.append(try #require(report.clips.first?.points.first).bitsPerSecond)
            }
            #expect(abs(rates[1] / rates[0] - 2) < 1e-9, "\(rates)")
            let error = #expect(throws: (any Error).self) {
                try MeasureCommand.parse(["in.y4m", "out.mkv", "--expected-frame-rate", "50"])
            }
            #expect(error.map { MeasureCommand.message(for: $0) }?.contains("give its --size too") == true)
        }
    }

    @Test("the file whose comparison fails is named, also where it is the reference that breaks")
    func failingFile() async throws {
        try await withTemporaryDirectory { folder in
            let clip = CommandLineTool.y4m(frames: 3)
            let input = try folder.write(clip, to: "in.y4m")
            let file = folder.path("good.264")
            try await CommandLineTool.encbench.run(["encode", input, "-o", file, "--qp", "30"])
            try folder.write(Array(clip.dropLast(100)), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["measure", input, file])
            }
            #expect(
                error?.standardError.contains("error: \(file): \(input): ") == true, "\(error?.standardError ?? "")")
        }
    }

    @Test(
        "a file that is one picture late or early is told so, and a still or right one nothing",
        arguments: [
            (Array(0..<24), [0] + Array(0..<23), "one picture late"),
            (Array(0..<24), Array(1..<25), "one picture early"), (Array(0..<24), Array(0..<24), nil),
            ([Int](repeating: 5, count: 24), [Int](repeating: 5, count: 24), nil), ([0], [1], nil),
        ] as [([Int], [Int], String?)])
    func shifted(reference: [Int], encoded: [Int], words: String?) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(Self.moving(reference), to: "in.y4m")
            let other = try folder.write(Self.moving(encoded), to: "other.y4m")
            let file = folder.path("out.mkv")
            try await CommandLineTool.encbench.run(["encode", other, "-o", file, "--qp", "28"])
            let report = try await CommandLineTool.encbench.report(ComparisonReport.self, ["measure", input, file])
            #expect(report.failures.isEmpty && report.clips.first?.frames == reference.count)
            #expect(report.notes.count == (words == nil ? 0 : 1), "\(report.notes)")
            #expect(report.notes.allSatisfy { $0.contains(words ?? "") })
            let text = try await CommandLineTool.encbench.run(["measure", input, file]).text
            #expect(text.contains("\nNote: out.mkv: it seems to be \(words ?? "")") == (words != nil), "\(text)")
        }
    }

    /// A Y4M file of pictures that have moved by their numbers, three samples each.
    private static func moving(_ numbers: [Int]) -> [UInt8] {
        var bytes = Array("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C420jpeg\n".utf8)
        for number in numbers {
            bytes += Array("FRAME\n".utf8)
            bytes += (0..<64 * 64).map { UInt8(60 + 8 * abs(($0 % 64 + 3 * number) % 32 - 16)) }
            bytes += [UInt8](repeating: 128, count: 64 * 64 / 2)
        }
        return bytes
    }

    @Test("names stand before the first sign, unless they are folders")
    func names() {
        #expect(MeasuredFiles.Item("gpu=a=b.mp4") == MeasuredFiles.Item(label: "gpu", path: "a=b.mp4"))
        #expect(MeasuredFiles.Item("./x=y.mp4") == MeasuredFiles.Item(label: nil, path: "./x=y.mp4"))
        #expect(MeasuredFiles.Item("plain.mp4") == MeasuredFiles.Item(label: nil, path: "plain.mp4"))
    }
}
