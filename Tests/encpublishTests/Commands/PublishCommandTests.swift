// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import TestSupport
import Testing

@testable import encpublish

/// The built program, run as a user runs it.
@Suite struct PublishCommandTests {
    /// The executable, which is built into the same folder as the tests.
    private static let program: ExternalProgram = {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return ExternalProgram((path.isEmpty ? "." : path) + "/encpublish")
    }()

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
            #expect(report.status == 0 && report.pictures == 50 && report.video == "h264")
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
            // Where the file's sound comes after a second of pictures, what goes out is so much behind what was read.
            let late = try await streams(folder.path("late.ts"))
            #expect(late.contains("h264 25") || late.contains("h264 50"), "\(late)")
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
