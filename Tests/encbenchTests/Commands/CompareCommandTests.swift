// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct CompareCommandTests {
    private let quick = ["--preset", "ultrafast", "--qp", "30,40"]
    /// Without times.
    private let untimed = ["--rounds", "0"]

    @Test("two curves of one clip give a report with every number, and JSON that says the same", .inTurn())
    func compare() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 4), to: "in.y4m")
            let result = try await CommandLineTool.encbench.run([
                "compare", input, "--encoder", "x265", "--preset", "ultrafast,superfast", "--qp", "20,26,32,38",
                "--json", folder.path("out.json"),
            ])
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(try folder.read("out.json")))
            let clip = try #require(report.clips.first)
            #expect(clip.frames == 4 && clip.points.count == 10 && clip.points.count(where: \.isDefault) == 2)
            #expect(clip.points.map(\.rate).prefix(4) == ["qp 20", "qp 26", "qp 32", "qp 38"])
            for (better, worse) in zip(clip.points.prefix(4), clip.points.prefix(4).dropFirst()) {
                #expect(better.bytes > worse.bytes && better.frames.count == 4)
                #expect(try #require(better.value("psnr_y_db")) > #require(worse.value("psnr_y_db")))
            }
            #expect(clip.pairs.map(\.test) == ["x265 superfast"] && clip.pairs[0].equalQuality.count == 4)
            #expect(result.text.contains("PSNR-Y dB") && result.text.contains("than x265 ultrafast"))
            #expect(result.standardError.isEmpty)
            // Without --rounds it is timed within a budget, with one thread and with the library's own.
            let timing = try #require(report.timing)
            #expect(timing.budgetSeconds == 15 && timing.pairs.map(\.threads) == [1, nil])
            #expect(result.text.contains("\nFor that it took ") || timing.pairs[0].refusal != nil, "\(result.text)")
        }
    }

    @Test("one clip under two names, or named twice, would count twice and is refused", arguments: ["compare", "plan"])
    func repeatedClip(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let bytes = CommandLineTool.y4m(frames: 2)
            let (one, two) = (try folder.write(bytes, to: "one.y4m"), try folder.write(bytes, to: "two.y4m"))
            let other = try folder.write(CommandLineTool.y4m(frames: 3), to: "other.y4m")
            for (again, message) in [
                (two, "\(two) is the same file as \(one), and would count twice; leave one of them out"),
                (one, "\(one) is named twice, and would count twice"),
            ] {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run([command, one, other, again] + quick)
                }
                #expect(error?.reason == "exited(64)")
                let said = try #require(error?.standardError)
                #expect(said.hasPrefix("encbench: error: \(message)\n"), "\(said)")
            }
        }
    }

    @Test("the same pictures in another container are the same clip", .requiresProgram(.ffmpeg))
    func samePictures() async throws {
        try await withTemporaryDirectory { folder in
            let plain = try folder.write(CommandLineTool.y4m(frames: 6), to: "plain.y4m")
            let (copy, lossy) = (folder.path("copy.mkv"), folder.path("lossy.mkv"))
            let quiet = ["-v", "error", "-i", plain]
            try await ExternalProgram.ffmpeg.run(quiet + ["-c:v", "ffv1", copy])
            try await ExternalProgram.ffmpeg.run(quiet + ["-c:v", "mpeg4", "-q:v", "20", lossy])
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["plan", plain, copy] + quick)
            }
            let message = "\(copy) has the same pictures as \(plain), and would count twice; leave one of them out\n"
            #expect(error?.reason == "exited(64)" && error?.standardError.contains(message) == true)
            // Pictures that differ, and clips of which one begins as the other does, are clips of their own.
            let longer = try folder.write(CommandLineTool.y4m(frames: 8), to: "longer.y4m")
            for other in [lossy, longer] {
                #expect(try await CommandLineTool.encbench.run(["plan", plain, other] + quick).text.contains("point"))
            }
            // Of their first pictures they are one.
            let cut = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["plan", plain, longer, "--frames", "4"] + quick)
            }
            #expect(cut?.standardError.contains("longer.y4m has the same pictures as") == true)
        }
    }

    @Test(
        "whole milliseconds are the rate that they come from: commands are printed with it, and sizes are those of Y4M",
        .inTurn(),
        .requiresProgram(.ffmpeg), arguments: ["30000/1001", "24", "30"])
    func wholeMilliseconds(rate: String) async throws {
        try await withTemporaryDirectory { folder in
            let (plain, coarse) = (folder.path("plain.y4m"), folder.path("coarse.mkv"))
            let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=\(rate):d=1"]
            try await ExternalProgram.ffmpeg.run(source + ["-pix_fmt", "yuv420p", plain])
            try await ExternalProgram.ffmpeg.run(["-v", "error", "-i", plain, "-c:v", "ffv1", coarse])
            var bytes: [[Int]] = []
            for clip in [plain, coarse] {
                for rates in [["--crf", "30,36"], ["--average-bit-rate", "100k"]] {
                    let result = try await CommandLineTool.encbench.run(
                        ["compare", clip, "--preset", "superfast", "--rounds", "0", "--json", "-"] + rates)
                    let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.standardOutput))
                    let found = try #require(report.clips.first)
                    let points = found.points.filter { !$0.isDefault }
                    bytes.append(points.map(\.bytes))
                    #expect(found.programObstacle == nil && points.allSatisfy { $0.command != nil })
                    let option = "--fps \(rate.contains("/") ? rate : rate + "/1") "
                    #expect(points.allSatisfy { $0.command?.contains(option) == (clip == coarse) })
                }
            }
            #expect(bytes[0] == bytes[2] && bytes[1] == bytes[3], "\(bytes)")
        }
    }

    @Test("a curve of ten bits is compared with one of eight, in its own depth, and the note says so")
    func tenBits() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 4, width: 96, height: 80), to: "in.y4m")
            let result = try await CommandLineTool.encbench.run([
                "compare", input, "--variant", "x264:superfast", "--variant",
                "x265:ultrafast,ProfileLevel=hevc-main10-auto", "--qp", "20,24,28,32", "--rounds", "0", "--json", "-",
            ])
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.standardOutput))
            let clip = try #require(report.clips.first)
            #expect(clip.points.map(\.frames.bitDepth) == clip.points.map { $0.encoder == "x265" ? 10 : 8 })
            let note = "x265 ultrafast ProfileLevel=hevc-main10-auto: compared with 10 bits"
            #expect(clip.notes.contains { $0.hasPrefix(note) && $0.contains("PSNR is 0.03 dB more") }, "\(clip.notes)")
            #expect(report.failures.isEmpty && report.verdict?.findings.count == 1)
        }
    }

    @Test("presets must be one for all encoders or one for each")
    func presetCount() async {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["compare", "x.y4m", "--preset", "a:b:c"])
        }
        #expect(error?.reason == "exited(64)")
    }

    @Test("without an input the bundled clip is compared, which was stored without loss")
    func bundledComparison() async throws {
        let result = try await CommandLineTool.encbench.run([
            "--encoder", "x264", "--preset", "ultrafast", "--qp", "30", "--frames", "3", "--rounds", "0", "--json", "-",
        ])
        let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.standardOutput))
        let clip = try #require(report.clips.first)
        #expect(clip.name == BundledClip.title && clip.width == 640 && clip.height == 360 && clip.isCut)
        #expect(!clip.isLossySource && clip.notes.isEmpty && clip.points[0].value("psnr_y_db") ?? 0 > 30)
    }

    @Test("the bundled clip is found beside the executable")
    func bundledClip() throws {
        #expect(throws: CommandFailure.self) { try BundledClip.path(executable: "/nowhere/encbench") }
        let path = try BundledClip.path(executable: CommandLineTool.encbench.name)
        #expect(path.hasSuffix("/EncoderKit_BundledClips.resources/Clips/bird_640x360_48f.mkv"))
    }

    @Test("the report never overwrites an input, under its own name or through a link", arguments: ["in.y4m", "link"])
    func jsonOverInput(json: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = CommandLineTool.y4m(frames: 3)
            try folder.write(input, to: "in.y4m")
            try await ExternalProgram("ln").run(["-s", "in.y4m", folder.path("link")])
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["compare", folder.path("in.y4m"), "--json", folder.path(json)] + quick)
            }
            #expect(error?.reason == "exited(64)")
            #expect(error?.standardError.contains("is an input too") == true, "\(error?.standardError ?? "")")
            #expect(try folder.read("in.y4m") == input)
        }
    }

    @Test("a broken clip alone is told with its reason in each form; the pictures in front of the damage can be used")
    func brokenAlone() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(Array(CommandLineTool.y4m(frames: 4).dropLast(100)), to: "broken.y4m")
            func compare(_ more: [String]) async throws -> String {
                try await ExternalProgram("bash").run(
                    ["-c", #"cd "$0"; "$@" > text; echo $?"#, folder.path(""), CommandLineTool.encbench.name]
                        + ["compare", "broken.y4m"] + quick + untimed + more
                ).text
            }
            let files = ["--json", "r.json", "--html", "r.html", "--markdown", "r.md"]
            #expect(try await compare(files) == "1\n")
            let failure = try #require(try report(folder.read("r.json")).failures.first)
            #expect(failure.clip == "broken.y4m" && failure.reason.contains("picture 3"), "\(failure)")
            for file in ["text", "r.html", "r.md"] {
                let said = String(decoding: try folder.read(file), as: UTF8.self)
                #expect(said.contains("Not compared: broken.y4m") && said.contains("picture 3"), "\(file): \(said)")
            }
            #expect(try await compare(["--frames", "3"] + files) == "0\n")
            let whole = try report(folder.read("r.json"))
            #expect(whole.failures.isEmpty && whole.clips.first?.isCut == true)
        }
    }

    @Test("a clip that breaks in the middle leaves the others in the report")
    func brokenClip() async throws {
        try await withTemporaryDirectory { folder in
            let good = CommandLineTool.y4m(frames: 4)
            try folder.write(good, to: "good.y4m")
            try folder.write(Array(good.dropLast(100)), to: "broken.y4m")
            try folder.write(CommandLineTool.y4m(frames: 5), to: "other.y4m")
            let paths = ["good.y4m", "broken.y4m", "other.y4m"].map { folder.path($0) }
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["compare"] + paths + ["--json", folder.path("r.json")] + quick + untimed)
            }
            #expect(error?.reason == "exited(1)")
            #expect(error?.standardError.contains("1 of 3 clips lack what failed") == true)
            let report = try report(folder.read("r.json"))
            #expect(report.clips.map(\.name) == [paths[0], paths[2]])
            #expect(report.failures.map(\.clip) == [paths[1]] && report.failures[0].point == nil)
            #expect(!report.isInterrupted)
        }
    }

    @Test(
        "a signal leaves the points that were measured in the report", .inTurn(),
        arguments: [("INT", 130), ("TERM", 143)])
    func signal(name: String, status: Int) async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 24, width: 320, height: 192), to: "in.y4m")
            let tool = CommandLineTool.encbench.name
            // What takes longest begins: when the first of it is kept, all of the other curve waits.
            let script =
                CommandLineTool.waiting + """
                    cd '\(folder.path("."))'; '\(tool)' compare in.y4m --rounds 0 --preset ultrafast:slower --qp 10,12,14,16,18,20 \
                    --json r.json --store kept > /dev/null & tool=$!
                    await compgen -G 'kept/*.point.json' > /dev/null; kill -\(name) $tool; wait $tool
                    """
            let error = await #expect(throws: ExternalProgramError.self) {
                try await ExternalProgram("bash").run(["-c", script])
            }
            #expect(error?.reason == "exited(\(status))", "\(error?.description ?? "")")
            let report = try report(folder.read("r.json"))
            #expect(report.isInterrupted && report.failures.isEmpty)
            #expect(report.clips.first?.points.isEmpty == false)
            #expect((report.clips.first?.points.count ?? 0) < 14)
        }
    }

    @Test("a timed encode that fails ends the command with its reason, and what was measured is in the report")
    func failedTimes() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 4), to: "in.y4m")
            // Timed encodes are children, one after the other; each is killed, until one was early enough. The address
            // sanitizer's helper, a child too, is not: the tool would wait for it for ever.
            let script =
                CommandLineTool.waiting + """
                    cd '\(folder.path(""))'; '\(CommandLineTool.encbench.name)' compare in.y4m --preset ultrafast \
                    --qp 20,25,30,35 --rounds 10000 --json r.json > /dev/null 2> messages & tool=$!
                    await busy $tool 2; ended() { pkill -9 -f run-alone -P $tool; ! kill -0 $tool 2> /dev/null; }; await ended
                    wait $tool; echo $?
                    """
            #expect(try await ExternalProgram("bash").run(["-c", script]).text == "1\n")
            let messages = String(decoding: try folder.read("messages"), as: UTF8.self)
            #expect(messages.contains("signal 9 ended an encode"), "\(messages)")
            let report = try report(folder.read("r.json"))
            #expect(report.clips.first?.points.count == 10 && report.timing == nil && !report.isInterrupted)
        }
    }

    @Test("a warning is told once, however many encodes have a process of their own that has it to tell")
    func repeatedWarnings() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 6), to: "in.y4m")
            // The limit leaves 120 kbit/s of each rate.
            let result = try await CommandLineTool.encbench.run([
                "compare", input, "--variant", "x264:ultrafast,DataRateLimits=6250/0.25", "--variant",
                "x264:superfast,DataRateLimits=6250/0.25", "--average-bit-rate", "200k,400k", "--rounds", "1",
                "--json", folder.path("r.json"),
            ])
            #expect(try report(folder.read("r.json")).timing?.pairs.map(\.threads) == [1, nil])
            let warnings = result.standardError.split(separator: "\n").filter { $0.contains(" warning: ") }
            let beginnings = ["200000", "400000"].map { "encbench: warning: AverageBitRate: \($0) bit/s became" }
            #expect(
                warnings.count == 2 && zip(warnings.sorted(), beginnings).allSatisfy { $0.hasPrefix($1) }, "\(warnings)"
            )
        }
    }

    private func report(_ bytes: [UInt8]) throws -> ComparisonReport {
        try JSONDecoder().decode(ComparisonReport.self, from: Data(bytes))
    }
}

@Suite struct CompareRefusalTests {
    @Test(
        "what cannot be is refused before anything is encoded, in words",
        arguments: [
            (["encod", "x"], "'encod' is neither a file here nor a command"),
            (["compare", "missing.y4m"], "cannot open for reading"),
            (["--crf", "-3"], "'-3', expected a number in 0.0...51.0"),
            (["--json", "r", "--csv", "r"], "two reports both want r"),
            (["--json", "/no/such/folder/r"], "cannot open for writing"),
            (["--store", "/no/such/folder/s"], "cannot keep results there"),
            (["--seed", "5", "--rounds", "0"], "--seed is for timed encodes, of which --rounds 0 has none"),
            (["--rounds", "-1"], "'-1', expected a whole number in 0...10000"),
            (["--jobs", "0"], "expected a whole number in 1...1024"),
        ])
    func refusals(arguments: [String], message: String) async {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(arguments)
        }
        #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
    }

    @Test("one frame, odd sizes, ten bits and two frame rates give results")
    func shapes() async throws {
        try await withTemporaryDirectory { folder in
            func header(_ text: String) -> [UInt8] { Array("YUV4MPEG2 \(text)\n".utf8) }
            let frame = Array("FRAME\n".utf8)
            let odd = [UInt8](repeating: 90, count: 33 * 17 + 2 * 17 * 9)
            let tenBits: [UInt8] = (0..<32 * 32 * 3 / 2).flatMap { (sample: Int) -> [UInt8] in
                [UInt8(truncatingIfNeeded: sample), UInt8(sample % 4)]
            }
            let inputs = [
                try folder.write(CommandLineTool.y4m(frames: 1), to: "one.y4m"),
                try folder.write(header("W33 H17 F60:1 C420jpeg") + frame + odd, to: "odd.y4m"),
                try folder.write(header("W32 H32 F30:1 C420p10") + frame + tenBits, to: "ten.y4m"),
            ]
            let result = try await CommandLineTool.encbench.run(
                ["compare"] + inputs + ["--qp", "22,30", "--preset", "ultrafast", "--rounds", "0", "--json", "-"])
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.standardOutput))
            #expect(report.clips.map(\.points.count) == [6, 6, 6] && report.clips.map(\.frames) == [1, 1, 1])
            #expect(report.clips.map { $0.framesPerSecond ?? 0 } == [25, 60, 30])
        }
    }
}
