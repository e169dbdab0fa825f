// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct LadderCommandTests {
    private func ladder(_ arguments: [String]) async throws -> LadderReport {
        let output = try await CommandLineTool.encbench.run(["ladder", "--json", "-"] + arguments)
        return try JSONDecoder().decode(LadderReport.self, from: Data(output.standardOutput))
    }

    @Test(
        "encodes are those of pictures that ffmpeg scaled, and qualities those of decoded pictures that it scales back",
        .inTurn(),
        .requiresProgram(.ffmpeg), arguments: ["x264", "x265"])
    func oracle(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            let clip = folder.path("clip.y4m")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x128:rate=25", "-frames:v", "9", "-pix_fmt",
                "yuv420p", clip,
            ])
            let report = try await ladder([
                clip, "--encoder", encoder, "--preset", "ultrafast", "--sizes", "96x64,192x128,144x96", "--crf",
                "24,36",
            ])
            #expect(report.clips.count == 1 && report.failures.isEmpty && !report.isInterrupted)
            let points = try #require(report.clips.first?.points)
            let expected = ["192x128", "144x96", "96x64"].flatMap { size in ["24", "36"].map { "\(size) crf \($0)" } }
            #expect(points.map { "\($0.size.text) \($0.rate)" } == expected)
            let flags = "flags=bicubic+accurate_rnd+bitexact"
            let source = try await Self.samples(of: clip, filter: "null")
            for point in points {
                let small = folder.path("small.y4m")
                let stream = folder.path(encoder == "x264" ? "out.264" : "out.hevc")
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-y", "-i", clip, "-vf", "scale=\(point.width):\(point.height):\(flags)", small,
                ])
                try await CommandLineTool.encbench.run(
                    [
                        "encode", small, "-o", stream, "--encoder", encoder, "--preset", "ultrafast", "--threads", "1",
                    ] + ["--crf", String(point.rate.dropFirst(4))])
                #expect(try WholeFile.read(stream).count == point.bytes, "\(point)")
                let decoded = try await Self.samples(of: stream, filter: "scale=192:128:\(flags)")
                let quality = try #require(point.value("psnr_y_db"))
                #expect(abs(Self.lumaPSNR(decoded, source, width: 192, height: 128) - quality) < 1e-6, "\(point)")
            }
        }
    }

    private static func samples(of path: String, filter: String) async throws -> [UInt8] {
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-i", path, "-vf", filter, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
            "yuv420p", "-",
        ]).standardOutput
    }

    /// PSNR of the luma of pictures in 4:2:0, of their mean squared error.
    private static func lumaPSNR(_ first: [UInt8], _ second: [UInt8], width: Int, height: Int) -> Double {
        let (luma, picture) = (width * height, width * height * 3 / 2)
        guard first.count == second.count, first.count > 0 else { return .nan }
        var sum = 0
        for start in stride(from: 0, to: first.count, by: picture) {
            for place in start..<start + luma {
                let difference = Int(first[place]) - Int(second[place])
                sum += difference * difference
            }
        }
        return 10 * log10(255 * 255 * Double(first.count / picture * luma) / Double(sum))
    }

    @Test("a ladder says in sentences what to send, and has rungs with sizes, rates and qualities")
    func text() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 6, width: 96), to: "in.y4m")
            let text = try await CommandLineTool.encbench.run(
                ["ladder", clip, "--preset", "ultrafast", "--sizes", "96x64,48x32", "--qp", "24,30,36,42"]
            ).text
            let sentences = [
                "in.y4m: 96x64, 6 frames, 0.24 s", "With x264 ultrafast (H.264) send ",
                "With x265 ultrafast (H.265) send ",
                "bits with x265 ultrafast (H.265).", "Rungs, encodes to send, with x264 ultrafast (H.264):",
                "size     bit/s",
                "Rungs, encodes to send, with x265 ultrafast (H.265):", "Pictures are scaled by libswscale ",
                "back to the source's size, at which PSNR-Y is measured",
            ]
            for sentence in sentences { #expect(text.contains(sentence), "\(sentence) in \(text)") }
        }
    }

    @Test("killed and started again, a ladder goes on from its store, and is the one of a single run", .inTurn())
    func killedAndResumed() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 40, width: 96), to: "in.y4m")
            let options = [clip, "--sizes", "96x64,48x32", "--crf", "20,30,40", "--preset", "medium"]
            let single = try await ladder(options)
            let store = folder.path("store")
            let words = (["ladder"] + options + ["--store", store]).joined(separator: " ")
            // Killed as soon as something is kept.
            let script =
                CommandLineTool.waiting + """
                    \(CommandLineTool.encbench.name) \(words) > /dev/null 2>&1 & tool=$!
                    kept() { ls \(store) 2> /dev/null | grep -q point.json; }
                    await kept
                    kill -KILL $tool
                    wait
                    """
            try await ExternalProgram("bash").run(["-c", script])
            let kept = try FileManager.default.contentsOfDirectory(atPath: store).filter { $0.hasSuffix(".json") }
            let before = try kept.map { try FileManager.default.attributesOfItem(atPath: store + "/" + $0) }
            #expect(!kept.isEmpty && kept.count <= 12)
            #expect(try await ladder(options + ["--store", store]) == single)
            let after = try kept.map { try FileManager.default.attributesOfItem(atPath: store + "/" + $0) }
            #expect(before.map { $0[.modificationDate] as? Date } == after.map { $0[.modificationDate] as? Date })
            let names = try FileManager.default.contentsOfDirectory(atPath: store)
            #expect(names.count { $0.hasSuffix(".json") } == 12)
        }
    }

    @Test("what cannot be is refused by name and range, before anything is encoded")
    func refusals() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 3, width: 96), to: "in.y4m")
            let single = try folder.write(CommandLineTool.y4m(frames: 1, width: 96), to: "one.y4m")
            let rows: [([String], String, Int)] = [
                ([clip, "--sizes", "192x128,96x64"], "--sizes 192x128: \(clip) has 96x64, expected that or less", 64),
                ([clip, "--sizes", "96x64,47x32"], "'47x32', expected even sides", 64),
                ([clip, "--sizes", "0x0,96x64"], "'0', expected a whole number in 1...65535", 64),
                ([clip, "--sizes", "96x64"], "has 1 size, expected 2...12", 64),
                ([clip, "--sizes", "96x64,96x64"], "--sizes <list>': '96x64' is listed twice", 64),
                ([clip, "--sizes", "96x64,64x64"], "another shape than 96x64 of \(clip), expected such as 64x42", 64),
                ([clip, "--crf", "30"], "--crf 30: a curve needs two values or more", 64),
                ([clip, "--qp", "30,30"], "--qp <list>': '30' is listed twice", 64),
                ([clip, "--qp", "30,31", "--crf", "30,31"], "--crf and --qp exclude each other", 64),
                ([clip, "--crf", "30,52"], "'52', expected a number in 0.0...51.0", 64),
                ([clip, "--step", "0.5"], "'0.5', expected a number in 1.0...10.0", 64),
                ([clip, "--frames", "1"], "--frames 1: a clip has 1 frame, expected 2 or more", 64),
                ([single], "has 1 frame, expected 2 or more for bit rates", 1),
            ]
            for (arguments, reason, status) in rows {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["ladder"] + arguments)
                }
                #expect(error?.standardError.contains(reason) == true, "\(error?.standardError ?? "")")
                #expect(error?.reason.contains("(\(status))") == true, "\(error?.reason ?? "")")
            }
        }
    }
}
