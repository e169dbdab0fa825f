// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import encpublish

/// The program with what it captures: graphs, and a camera that a preloaded library pretends; no camera was used.
@Suite(.requiresProgram(.ffprobe)) struct CaptureCommandTests {
    private func run(_ arguments: [String], _ variables: [String] = [], log: String) async throws -> (CInt?, String) {
        let program = try PeerProgram(
            "env", ["-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"] + variables + [PublishProgram.path] + arguments, log: log)
        let status = await program.exitStatus(within: Patience.seconds * 3)
        return (status, program.output)
    }

    private func probe(_ path: String, _ entries: String, _ more: [String] = []) async throws -> [String] {
        let output = try await ExternalProgram.ffprobe.run(
            ["-v", "error"] + more + ["-show_entries", entries, "-of", "csv=p=0", path])
        return output.text.split(separator: "\n").map(String.init)
    }

    @Test("pictures and sound of graphs have one base time, and end together")
    func together() async throws {
        try await withTemporaryDirectory { folder in
            let (status, output) = try await run(
                [
                    "--input", "lavfi:testsrc2=size=64x48:rate=30", "--sound", "lavfi:sine=sample_rate=48000", "--to",
                    folder.path("a.mp4"), "--duration", "1", "--preset", "ultrafast",
                ], log: folder.path("log"))
            #expect(status == 0, "\(output)")
            let times = try await probe(folder.path("a.mp4"), "packet=pts_time", ["-select_streams", "v"])
                .compactMap { Double($0) }.sorted()
            #expect(times.count == 30 && times.first == 0)
            #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 1.0 / 30) < 0.0001 })
            let sound = try await probe(folder.path("a.mp4"), "stream=start_time,duration", ["-select_streams", "a"])
            let numbers = try #require(sound.first).split(separator: ",").compactMap { Double($0) }
            #expect(abs(numbers[0] + 0.021333) < 0.001 && abs(numbers[0] + numbers[1] - 1) < 0.06, "\(sound)")
        }
    }

    @Test(
        "pictures are turned by the message in the stream, and in MP4 by the matrix, both the same way",
        arguments: ["h264", "hevc"])
    func rotated(codec: String) async throws {
        try await withTemporaryDirectory { folder in
            let (status, output) = try await run(
                [
                    "lavfi:testsrc2=size=64x48:rate=30,trim=end_frame=10", "--pace", "fast", "--rotate", "90",
                    "--codec",
                    codec, "--to", folder.path("a.mp4"), "--to", folder.path("a.ts"), "--to", folder.path("a.mkv"),
                ], log: folder.path("log"))
            #expect(status == 0, "\(output)")
            #expect(try await probe(folder.path("a.mp4"), "stream_side_data=rotation") == ["-90"])
            for name in ["a.mp4", "a.ts", "a.mkv"] {
                let lines = try await probe(
                    folder.path(name), "frame_side_data=rotation", ["-select_streams", "v", "-read_intervals", "%+#1"])
                #expect(lines.first { !$0.isEmpty && $0 != "," }?.contains("-90") == true, "\(name): \(lines)")
                // 270 degrees anticlockwise, in 65536ths of a turn.
                let trace = try await ExternalProgram.ffmpeg.run([
                    "-hide_banner", "-nostats", "-i", folder.path(name), "-map", "0:v", "-c", "copy", "-bsf:v",
                    "trace_headers", "-frames:v", "1", "-f", "null", "-",
                ]).standardError.split(separator: "\n").filter { $0.contains(" anticlockwise_rotation ") }
                #expect(trace.count == 1 && trace.allSatisfy { $0.hasSuffix(" = 49152") }, "\(name): \(trace)")
            }
            // FFmpeg turns the picture once, whichever of the two it goes by.
            let shown = try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "error", "-i", folder.path("a.mp4"), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray",
                    "-",
                ])
            let turned = try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=30,transpose=clock", "-frames:v", "1",
                    "-f", "rawvideo", "-pix_fmt", "gray", "-",
                ])
            let differences = zip(shown.standardOutput, turned.standardOutput).map { abs(Int($0) - Int($1)) }
            #expect(differences.count == 64 * 48 && differences.reduce(0, +) / differences.count < 12)
        }
    }

    @Test(
        "a camera that goes away ends the run with an error, and what was recorded is complete",
        .requiresPrograms(["gcc", "make"]))
    func gone() async throws {
        try await withTemporaryDirectory { folder in
            let root = String(#filePath[..<(#filePath.ranges(of: "/Tests/").last?.lowerBound ?? #filePath.endIndex)])
            try await ExternalProgram("make").run(["-s", "-C", root, "-f", "dev/v4l2-shim.mk"])
            let (status, output) = try await run(
                ["v4l2:", "--to", folder.path("a.mp4"), "--preset", "ultrafast", "--skip-dark", "5"],
                [
                    "LD_PRELOAD=\(root)/.build/v4l2-shim/v4l2-shim.so", "V4L2_SHIM_MODES=YUYV:64x48@60",
                    "V4L2_SHIM_LOST=5", "V4L2_SHIM_VANISH=60", "V4L2_SHIM_LOG=\(folder.path("frames.log"))",
                ], log: folder.path("log"))
            #expect(status == 1 && output.contains("/dev/video0: the camera is gone"), "\(output)")
            #expect(output.contains("the first 5 frames are left out"))
            // Each picture at its stamp, none invented.
            let lines = String(decoding: try folder.read("frames.log"), as: UTF8.self).split(separator: "\n")
            let account: [Double] = lines.compactMap { line in
                let words = line.split(separator: " ")
                return words.first == "frame" ? Double(words[2]) : nil
            }
            let times = try await probe(folder.path("a.mp4"), "packet=pts_time", ["-select_streams", "v"])
                .compactMap { Double($0) }.sorted()
            try #require(times.count > 20 && times.count < account.count)
            let shown = account.suffix(times.count)
            let first = try #require(shown.first)
            let wanted: [Double] = shown.map { ($0 - first) / 1_000_000 }
            #expect(zip(times, wanted).allSatisfy { abs($0 - $1) < 0.0001 })
        }
    }

    @Test("what can be captured is listed, with what is missing and how to get it")
    func devices() async throws {
        try await withTemporaryDirectory { folder in
            let (status, output) = try await run(
                ["devices"], ["PULSE_SERVER=unix:\(folder.path("none"))"], log: folder.path("log"))
            #expect(status == 0)
            #expect(output.contains("lavfi:GRAPH") && output.contains("missing  pulse:: there is no sound server"))
        }
    }

    @Test("a source that is missing ends the run before anything is written")
    func missing() async throws {
        try await withTemporaryDirectory { folder in
            let (status, output) = try await run(
                ["x11::59535", "--to", folder.path("a.mp4")], log: folder.path("log"))
            #expect(status == 1 && output.contains("x11::59535: there is no X server"), "\(output)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("a.mp4")))
        }
    }
}
