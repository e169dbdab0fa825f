// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import TestSupport
import Testing

@testable import encpublish

/// The built program, run as a user runs it.
@Suite struct PublishCommandTests {
    private static let program = ExternalProgram(PublishProgram.path)

    private static let quick = ["--preset", "ultrafast", "--size", "160x90", "--frame-rate", "25"]

    private func report(_ folder: TemporaryDirectory) throws -> PublishReport {
        try JSONDecoder().decode(PublishReport.self, from: Data(folder.read("r.json")))
    }

    /// Codec names and packets of each stream, as ffprobe counts them: "h264 50".
    private func streams(_ path: String) async throws -> [String] {
        let found = try await ExternalProgram("ffprobe").run([
            "-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets", "-of",
            "csv=p=0:s=\\ ", path,
        ])
        // A transport stream's are listed with its program, and once more without.
        return Set(found.text.split(separator: "\n").map(String.init)).sorted()
    }

    private func counts(_ path: String) async throws -> (pictures: Int, sound: Int) {
        let found = try await streams(path)
        func count(_ codecs: [String]) -> Int {
            let line = found.first { line in codecs.contains { line.hasPrefix($0 + " ") } }
            return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
        }
        return (count(["h264", "hevc"]), count(["aac"]))
    }

    @Test("a plan is printed, and nothing made", .requiresProgram("ffprobe"))
    func plan() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await Self.program.run([
                "test", "--to", folder.path("a.mp4"), "--to", "rtmp://h/app/SECRET", "--plan",
            ])
            #expect(found.text.contains("pictures H.264 by x264") && found.text.contains("rtmp://h/app/…, FLV"))
            #expect(!found.text.contains("SECRET"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(
        "a test source goes to several files at once, each with all pictures and the sound", .requiresProgram("ffprobe")
    )
    func encode() async throws {
        try await withTemporaryDirectory { folder in
            let files = ["a.mp4", "b.mkv", "c.ts", "d.flv"]
            _ = try await Self.program.run(
                ["test", "--duration", "2", "--json", folder.path("r.json")] + Self.quick
                    + files.flatMap { ["--to", folder.path($0)] })
            for file in files {
                let found = try await streams(folder.path(file))
                #expect(found.count == 2 && found.contains("h264 50"), "\(file): \(found)")
                // 2 s of 48 kHz in packets of 1024, and the encoder's delay.
                let sound = found.first { $0.hasPrefix("aac ") }.flatMap { Int($0.dropFirst(4)) }
                #expect(sound.map { (93...98).contains($0) } == true, "\(file): \(found)")
            }
            let report = try report(folder)
            #expect(report.encodings.map(\.encoder) == ["x264"])
            #expect(report.status == 0 && report.pictures == 50 && report.encodings.map(\.codec) == ["h264"])
            #expect(report.outputs.count == 4 && report.outputs.allSatisfy { $0.state == "ended" && $0.drops.isEmpty })
        }
    }

    @Test("a copy has the packets of its input, and can be recorded from later on", .requiresProgram("ffprobe"))
    func copy() async throws {
        try await withTemporaryDirectory { folder in
            _ = try await Self.program.run(
                ["test", "--duration", "3", "--to", folder.path("in.mp4"), "--set", "MaxKeyFrameInterval=25"]
                    + Self.quick)
            _ = try await Self.program.run([
                folder.path("in.mp4"), "--copy", "--to", folder.path("out.mkv"), "--record", folder.path("late.ts"),
                "--record-after", "1.5",
            ])
            let given = try await streams(folder.path("in.mp4"))
            let copied = try await streams(folder.path("out.mkv"))
            #expect(given == copied && given.contains("h264 75"), "\(given) \(copied)")
            let late = try await streams(folder.path("late.ts"))
            #expect(late.contains("h264 25"), "\(late)")
        }
    }

    @Test("a recording that would begin after the input's end is not made, which is told, and has a status")
    func tooLate() async throws {
        try await withTemporaryDirectory { folder in
            for others in [["--to", folder.path("a.ts")], []] {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await Self.program.run(
                        [
                            "test", "--duration", "1", "--record", folder.path("late.ts"), "--record-after", "5",
                            "--json", folder.path("r.json"),
                        ] + others + Self.quick)
                }
                #expect(error?.reason == (others.isEmpty ? "exited(1)" : "exited(3)"), "\(String(describing: error))")
            }
            let report = try report(folder)
            #expect(report.outputs.map(\.state) == ["failed"])
            #expect(report.notes.contains { $0.contains("late.ts") && $0.contains("from 5 s on") }, "\(report.notes)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("late.ts")))
        }
    }

    @Test("several encodings of one input are made in one run, each with the same sound", .requiresProgram("ffprobe"))
    func encodings() async throws {
        try await withTemporaryDirectory { folder in
            _ = try await Self.program.run(
                [
                    "test", "--duration", "2", "--json", folder.path("r.json"), "--to", folder.path("a.mp4"),
                    "--encoding", "new=x265:ultrafast,average-bit-rate=200k", "--to", "new=" + folder.path("b.mp4"),
                    "--encoding", "s=x264:ultrafast,crf=30", "--to", "s=" + folder.path("c.mkv"), "--to",
                    "new=" + folder.path("d.ts"),
                ] + Self.quick)
            let sound = try await streams(folder.path("a.mp4")).first { $0.hasPrefix("aac ") }
            for (file, video) in [
                ("a.mp4", "h264 50"), ("b.mp4", "hevc 50"), ("c.mkv", "h264 50"), ("d.ts", "hevc 50"),
            ] {
                let found = try await streams(folder.path(file))
                #expect(found.contains(video) && sound.map(found.contains) == true, "\(file): \(found)")
            }
            let report = try report(folder)
            #expect(report.encodings.map(\.name) == [nil, "new", "s"])
            #expect(report.outputs.map(\.encoding) == [nil, "new", "s", "new"])
            #expect(report.status == 0 && report.encodings.allSatisfy { $0.error == nil })
        }
    }

    @Test("an encoding whose outputs fail ends, and the others go on", .requiresProgram("ffprobe"))
    func failingEncoding() async throws {
        try await withTemporaryDirectory { folder in
            let error = await #expect(throws: ExternalProgramError.self) {
                try await Self.program.run(
                    [
                        "test", "--duration", "2", "--to", folder.path("a.ts"), "--encoding", "x=x264:ultrafast",
                        "--to", "x=" + folder.path("no/b.ts"),
                    ] + Self.quick)
            }
            #expect(error?.reason == "exited(3)", "\(String(describing: error))")
            let found = try await streams(folder.path("a.ts"))
            #expect(found.contains("h264 50"), "\(found)")
        }
    }

    @Test(
        "the coded sound of an input is decoded and encoded anew, where it was",
        .requiresProgram("ffmpeg", "ffprobe"), arguments: ["ac3", "mp3", "pcm_s16le", "aac"])
    func inputSound(codec: String) async throws {
        try await withTemporaryDirectory { folder in
            // A beep at one second in both: sound of five channels is mixed to two.
            let channels = codec == "ac3" ? "6" : "2"
            _ = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i",
                "color=black:s=160x96:r=25,drawbox=c=white:t=fill:enable='between(t,1,1.1)'", "-f", "lavfi", "-i",
                "aevalsrc=0.8*sin(2*PI*1000*t)*between(t\\,1\\,1.1):s=44100", "-t", "2", "-pix_fmt", "yuv420p", "-c:v",
                "libx264", "-c:a", codec, "-ac", channels, folder.path("in.mkv"),
            ])
            _ = try await Self.program.run([
                folder.path("in.mkv"), "--preset", "ultrafast", "--to", folder.path("out.mkv"),
            ])
            let sound = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-copyts", "-i", folder.path("out.mkv"), "-vn", "-af", "aresample=async=1:first_pts=0",
                "-f",
                "f32le",
                "-ar", "48000", "-ac", "1", "-",
            ]).standardOutput
            let samples = sound.withUnsafeBytes { bytes in
                (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
            }
            let onset = try #require(samples.firstIndex { abs($0) > 0.1 })
            #expect(abs(onset - 48_000) < 240, "\(onset)")
        }
    }

    @Test(
        "a copy of any file to any other has all pictures and sound", .inTurn(), .requiresProgram("ffprobe"),
        arguments: ["a.mp4", "mp4:b.mp4", "c.mkv", "d.ts", "e.flv", "f.mov"], ["h264", "hevc"])
    func copies(source: String, codec: String) async throws {
        // libavformat 59 does not read HEVC in FLV.
        if source == "e.flv", codec == "hevc" { return }
        try await withTemporaryDirectory { folder in
            let name = source.split(separator: ":").last.map(String.init) ?? ""
            _ = try await Self.program.run(
                [
                    "test", "--duration", "3", "--codec", codec, "--set", "MaxKeyFrameInterval=60", "--to",
                    source.hasPrefix("mp4:") ? "mp4:\(folder.path(name))" : folder.path(name),
                ] + Self.quick)
            let outputs = ["x.mp4", "x.mkv", "x.ts", "x.mov"] + (codec == "h264" ? ["x.flv", "x.asf"] : [])
            _ = try await Self.program.run(
                [folder.path(name), "--copy"] + outputs.flatMap { ["--to", folder.path($0)] })
            let given = try await counts(folder.path(name))
            for output in outputs {
                let copied = try await counts(folder.path(output))
                #expect(copied.pictures == 75 && given.pictures == 75, "\(output): \(copied)")
                // FLV and transport streams do not say that the first packet only primes the decoder: it is cut, as it
                // ends where the first picture begins.
                let least = given.sound - (["d.ts", "e.flv"].contains(source) ? 1 : 0)
                #expect(copied.sound >= least && given.sound > 130, "\(output): \(copied), not \(given)")
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-xerror", "-i", folder.path(output), "-f", "null", "-",
                ])
            }
        }
    }

    @Test("an output that fails leaves the others complete, and the status says so", .requiresProgram("ffprobe"))
    func failingOutput() async throws {
        try await withTemporaryDirectory { folder in
            let error = await #expect(throws: ExternalProgramError.self) {
                try await Self.program.run(
                    [
                        "test", "--duration", "1", "--to", folder.path("good.mkv"), "--to", folder.path("no/bad.mkv"),
                        "--json", folder.path("r.json"),
                    ] + Self.quick)
            }
            #expect(error?.reason == "exited(3)", "\(String(describing: error))")
            #expect(try await streams(folder.path("good.mkv")).contains("h264 25"))
            let outputs = try report(folder).outputs
            #expect(outputs.map(\.state) == ["ended", "failed"] && outputs[1].error?.contains("bad.mkv") == true)
        }
    }

    @Test("when every output has failed the program ends, with an input that never does")
    func allFailed() async throws {
        try await withTemporaryDirectory { folder in
            let error = await #expect(throws: ExternalProgramError.self) {
                try await Self.program.run(["test", "--to", folder.path("no/bad.mkv")] + Self.quick)
            }
            #expect(error?.reason == "exited(1)", "\(String(describing: error))")
        }
    }

    @Test("Ctrl-C completes the files", .requiresProgram("ffprobe"))
    func interrupt() async throws {
        try await withTemporaryDirectory { folder in
            let script = #"""
                cd "$0"; "$1" test --to mp4:a.mp4 --pace real-time --preset ultrafast --size 160x90 2> log & pid=$!
                end=$((SECONDS + \#(Int(6 * Patience.seconds))))
                until [ "$(stat -c %s a.mp4 2> /dev/null || echo 0)" -gt 20000 ]; do
                    [ $SECONDS -lt $end ] || { kill -9 $pid; exit 99; }; sleep 0.02
                done
                kill -INT $pid; wait $pid; echo status $?
                """#
            let found = try await ExternalProgram("bash").run(["-c", script, folder.path, Self.program.name])
            #expect(found.text.contains("status 130"), "\(found.text)")
            let streams = try await streams(folder.path("a.mp4"))
            #expect(streams.count == 2 && streams.contains { $0.hasPrefix("h264 ") }, "\(streams)")
        }
    }

    @Test("what is said with --verbose does not grow with the number of pictures")
    func verbose() async throws {
        try await withTemporaryDirectory { folder in
            var counts: [Int] = []
            for seconds in ["1", "5"] {
                let script = #""$0" test --duration \#(seconds) --to "$1" --to "$2" --verbose --size 160x90 2>&1"#
                let found = try await ExternalProgram("bash").run([
                    "-c", script, Self.program.name, folder.path("a.ts"), folder.path("hls/"),
                ])
                #expect(found.text.contains("profile"), "\(found.text)")
                counts.append(found.text.split(separator: "\n").count)
            }
            #expect(counts[0] < 60 && abs(counts[1] - counts[0]) <= 5, "\(counts)")
        }
    }

    @Test("a key in the environment is shown nowhere", .requiresProgram("bash"))
    func secrets() async throws {
        try await withTemporaryDirectory { folder in
            let script = #"""
                cd "$0"; export KEY=rtmp://127.0.0.1:1/app/SECRETKEY
                "$1" test --to env:KEY --to a.ts --tries 1 --duration 1 --pace fast --preset ultrafast --size 160x90 \
                    --verbose --json r.json 2>&1; echo status $?; cat r.json
                """#
            let found = try await ExternalProgram("bash").run(["-c", script, folder.path, Self.program.name])
            #expect(found.text.contains("status 3") && found.text.contains("rtmp://127.0.0.1:1/app/…"), "\(found.text)")
            #expect(!found.text.contains("SECRETKEY"))
        }
    }
}
