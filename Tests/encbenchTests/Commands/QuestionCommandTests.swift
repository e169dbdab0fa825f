// SPDX-License-Identifier: MIT

import BenchReports
import BenchStudies
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// The commands that ask one question each.
@Suite struct QuestionCommandTests {
    private func run<Report: Decodable>(_ report: Report.Type, _ arguments: [String]) async throws -> Report {
        try await CommandLineTool.encbench.report(report, arguments)
    }

    // MARK: - rate

    @Test("rate tells the mean and the largest window that the stream itself has, with and without limits")
    func rate() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 30), to: "in.y4m")
            let report = try await run(
                RateReport.self,
                [
                    "rate", input, "--frames", "24", "--preset", "ultrafast", "--average-bit-rate", "200k,400k",
                    "--peak",
                    "none,2", "--window", "0.25", "--store", folder.path("store"),
                ])
            #expect(report.entries.count == 8 && report.failures.isEmpty && !report.isInterrupted)
            #expect(report.entries.map(\.askedBitsPerSecond).prefix(4) == [200_000, 200_000, 400_000, 400_000])
            // Without a limit the library is given what was asked; a deviation is its own.
            for entry in report.entries where entry.windows.map(\.limitBytes) == [nil] {
                #expect(entry.givenBitsPerSecond == entry.askedBitsPerSecond && entry.sessionDeviation == 0)
                #expect(entry.libraryDeviation == entry.deviation)
            }
            #expect(report.entries[0].windows.map(\.limitBytes) == [nil])
            #expect(report.entries[1].windows.map(\.limitBytes) == [12500])
            // The same encode, told frame by frame by another command.
            for entry in report.entries.prefix(2) {
                let json = folder.path("e.json")
                let limit = entry.windows[0].limitBytes.map { ["--data-rate-limit", "\($0)/0.25"] } ?? []
                try await CommandLineTool.encbench.run(
                    [
                        "encode", input, "-o", folder.path("o.264"), "--frames", "24", "--preset", "ultrafast",
                        "--threads", "1",
                        "--average-bit-rate", "200k", "--json", json,
                    ] + limit)
                let encode = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("e.json")))
                #expect(entry.bytes == encode.bytes && entry.frames == 24)
                #expect(abs(entry.bitsPerSecond - (encode.bitsPerSecond ?? 0)) < 1e-6)
                let largest = encode.accessUnits.map { first in
                    encode.accessUnits.filter { (first.dtsSeconds..<first.dtsSeconds + 0.2499).contains($0.dtsSeconds) }
                        .reduce(0) { $0 + $1.bytes }
                }.max()
                #expect(entry.windows[0].largest.bytes == largest)
            }
            let text = try await CommandLineTool.encbench.run([
                "rate", input, "--frames", "24", "--preset", "ultrafast", "--average-bit-rate", "200k,400k", "--peak",
                "none,2", "--window", "0.25", "--store", folder.path("store"),
            ]).text
            #expect(
                text.contains("encoder") && text.contains("12 500 in 0.25 s") && text.contains("is short for rate"))
        }
    }

    @Test("where limits leave no room, rate tells what the session gave the library in place of what was asked")
    func given() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 30), to: "in.y4m")
            let report = try await run(
                RateReport.self,
                [
                    "rate", input, "--preset", "ultrafast", "--average-bit-rate", "200k", "--peak", "1", "--window",
                    "0.25",
                ])
            #expect(report.entries.count == 2)
            for entry in report.entries {
                let given = try #require(entry.givenBitsPerSecond)
                #expect(given < entry.askedBitsPerSecond && given > entry.askedBitsPerSecond / 4, "\(entry)")
                let parts = try (#require(entry.sessionDeviation), #require(entry.libraryDeviation))
                #expect(parts.0 < 0 && abs(1 + entry.deviation - (1 + parts.0) * (1 + parts.1)) < 1e-9)
                // The same session says so where it encodes alone.
                try await CommandLineTool.encbench.run([
                    "encode", input, "-o", folder.path("o.\(entry.variant.hasPrefix("x264") ? "264" : "hevc")"),
                    "--preset", "ultrafast", "--threads", "1", "--average-bit-rate", "200k", "--data-rate-limit",
                    "6250/0.25", "--json", folder.path("e.json"),
                ])
                let encode = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("e.json")))
                let sentence = "AverageBitRate: 200000 bit/s became \(given) bit/s"
                #expect(
                    encode.bytes == entry.bytes && encode.adjustments.contains { $0.hasPrefix(sentence) },
                    "\(encode.adjustments)")
            }
        }
    }

    @Test("rates that are not asked for suit the size of the pictures")
    func usualRates() throws {
        var clip = Studies.study().clips[0]
        (clip.width, clip.height, clip.framesPerSecond) = (640, 360, 24)
        #expect(RateReport.usualRates(for: clip) == [140_000, 280_000, 550_000])
        (clip.width, clip.height, clip.framesPerSecond) = (16, 16, nil)
        #expect(RateReport.usualRates(for: clip) == [2000, 2000, 2000])
    }

    @Test("what the session lowered is told from what the library missed")
    func parts() throws {
        var study = Studies.study()
        study.points = [study.points[0]]
        study.points[0].work.settings = ["AverageBitRate": "8000"]
        let point = study.points[0]
        let frame = FrameRecord(
            frame: 0, bytes: 900, type: "i", sync: true, pts: 0, dts: 0, timescale: 25, dtsTimescale: 25,
            ptsSeconds: 0, dtsSeconds: 0)
        for (given, session, library) in [(6000, "-25.0 %", "+20.0 %"), (nil, "-", "-")] as [(Int?, String, String)] {
            var answers = Answers<StreamResult>(study: study, failures: [])
            answers.results[point] = StreamResult(
                work: point.work, build: Studies.build, seconds: 1, adjustments: [], givenBitsPerSecond: given,
                frames: [frame])
            let report = try RateReport(answers, window: 1)
            let words = report.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains(" 7 200 -10.0 % \(session) \(library) none "), "\(words)")
        }
    }

    @Test("a broken limit ends the command with status 1 after the table")
    func brokenLimit() throws {
        let frame = FrameRecord(
            frame: 0, bytes: 1001, type: "i", sync: true, pts: 0, dts: 0, timescale: 25, dtsTimescale: 25,
            ptsSeconds: 0,
            dtsSeconds: 0)
        var study = Studies.study()
        study.points = [study.points[0]]
        study.points[0].work.settings = ["AverageBitRate": "8000", "DataRateLimits": "1000/1.0"]
        let point = study.points[0]
        var answers = Answers<StreamResult>(study: study, failures: [])
        for (bytes, broken) in [(1000, []), (1001, ["1 limit is broken"])] {
            var frame = frame
            frame.bytes = bytes
            answers.results[point] = StreamResult(
                work: point.work, build: Studies.build, seconds: 1, adjustments: ["less"], frames: [frame])
            let report = try RateReport(answers, window: 1)
            #expect(report.text.contains("Note: x264 medium, qp 22: less.\n"), "\(report.text)")
            #expect(report.broken == broken && report.text.contains("BROKEN") == (bytes > 1000), "\(report)")
        }
    }

    // MARK: - overhead

    @Test(
        "overhead finds the same units as the programs, but for x264's version", .inTurn(), .requiresProgram(.x264),
        .requiresProgram(.x265), .requiresProgram(.ffmpeg))
    func overhead() async throws {
        let report = try await run(
            OverheadReport.self,
            ["overhead", "--frames", "3", "--preset", "ultrafast", "--crf", "30", "--rounds", "2", "--seed", "4"])
        #expect(report.entries.map(\.variant) == ["x264 ultrafast", "x265 ultrafast"] && report.seed == 4)
        for entry in report.entries {
            let race = entry.race
            #expect(race.programs.map(\.name) == ["encbench", String(entry.variant.prefix(4)), "ffmpeg"])
            #expect(race.missing == [] && race.cpuControl != nil && entry.frames == 3)
            #expect(race.programs.allSatisfy { $0.cpuSeconds > 0 && $0.wallSeconds > 0 })
            #expect(race.programs[0].stream == nil && race.programs.dropFirst().allSatisfy { $0.cpuRatio != nil })
            let version = ["1 SEI (user_data_unregistered) more"]
            #expect(race.programs[1].stream?.differences == (entry.variant.hasPrefix("x264") ? version : []))
            #expect(race.programs[2].stream?.hasSameSlices == true, "\(race.programs[2])")
        }
    }

    @Test("an interrupted race has the rounds that were finished", .requiresProgram(.x264), .requiresProgram(.ffmpeg))
    func interruptedOverhead() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            // The program is called twice before the rounds and twice in each: the ninth call is in the fourth round.
            let script = """
                mkdir "$0/bin"; real=$(command -v x264); cat > "$0/bin/x264" <<END
                #!/bin/bash
                echo >> "$0/calls"
                if [ \\$(wc -l < "$0/calls") = 9 ]; then kill -INT \\$PPID; fi
                exec "$real" "\\$@"
                END
                chmod +x "$0/bin/x264"
                PATH=$0/bin:$PATH "$1" overhead "$2" --encoder x264 --preset ultrafast --rounds 7 2>&1; echo $?
                """
            let text = try await ExternalProgram("bash").run([
                "-c", script, folder.path, CommandLineTool.encbench.name, input,
            ]).text
            #expect(text.contains("Interrupted: 3 of 7 rounds were finished.") && text.hasSuffix("130\n"), "\(text)")
        }
    }

    @Test("a program that is missing is named, and without any other there is nothing to compare with")
    func missingPrograms() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            let script = """
                mkdir "$0/bin"; ln -s "$(command -v ffmpeg)" "$0/bin/ffmpeg"; export TMPDIR=$0
                PATH=$0/bin "$1" overhead "$2" --encoder x264 --rounds 1; echo $?
                PATH=$0 "$1" overhead "$2" --encoder x264 --rounds 1 2>&1; echo $?; rm -r "$0/bin"; ls "$0"
                """
            let text = try await ExternalProgram("bash").run([
                "-c", script, folder.path, CommandLineTool.encbench.name, input,
            ]).text
            #expect(text.contains("Not compared: x264: cannot start x264: No such file"), "\(text)")
            #expect(text.contains("no program to compare with: x264: cannot start x264"), "\(text)")
            // Nothing is left behind.
            #expect(text.hasSuffix("1\nin.y4m\n"), "\(text)")
        }
    }

    @Test(
        "pictures and encoders that no program takes are refused in words",
        arguments: [
            (["--encoder", "openh264"], 64, "openh264 has no program of its own to compare with"),
            (
                ["--encoder", "x265", "--real-time"], 1,
                "the x265 program has nothing that does the same as --real-time"
            ),
        ])
    func refusedOverhead(options: [String], status: Int, message: String) async throws {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["overhead", "--frames", "2"] + options)
        }
        #expect(error?.reason == "exited(\(status))" && error?.standardError.contains(message) == true)
    }

    // MARK: - All of them

    private static let commands = [
        ["rate", "--average-bit-rate", "100k", "--peak", "none"], ["keyframes", "--force-key-frames", "1"],
        ["realtime"],
        ["overhead", "--rounds", "1"],
    ]

    /// A command with an input, what makes the input, and how the command ends.
    struct Input: Sendable, CustomTestStringConvertible {
        var command: [String]
        var preparation = ""
        var words: String
        var status = 0

        var testDescription: String { "\(command[0]) \(words)" }
        /// The command and the input.
        var labels: [String] { [command[0], words] }

        static let all = commands.flatMap { command in
            [
                Input(command: command, words: "- < <(cat in.y4m)"), Input(command: command, words: "<(cat in.y4m)"),
                Input(command: command, preparation: "sed 's/ F25:1//' in.y4m > norate.y4m", words: "norate.y4m"),
                Input(
                    command: command, preparation: "ffmpeg -v error -i in.y4m -pix_fmt yuv420p10le -strict -1 deep.y4m",
                    words: "deep.y4m"),
                Input(
                    command: command,
                    preparation:
                        "ffmpeg -v error -i in.y4m -c:v ffv1 -vf 'setpts=N*N/25/TB/4' -vsync passthrough vary.mkv",
                    words: "vary.mkv"),
                Input(
                    command: command, preparation: "ffmpeg -v error -i in.y4m -f rawvideo raw.yuv",
                    words: "raw.yuv --size 64x64"),
                Input(command: command, words: "in.y4m no.y4m", status: 1),
                Input(command: command, words: "in.y4m --json in.y4m", status: 64),
                Input(command: command, words: "in.y4m --json nowhere/r.json", status: 1),
                Input(command: command, words: "in.y4m --device /dev/dri/renderD128", status: 64),
            ]
        }
    }

    @Test(
        "pipes, clips without a rate, of another depth and of a rate that varies are taken",
        .requiresProgram(.ffmpeg, .x264), arguments: Sample.of(Input.all, labels: \.labels))
    func sampledInputs(_ input: Input) async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 5), to: "in.y4m")
            let script = """
                cd "$0"; tool=$1; shift
                \(input.preparation)
                "$tool" "$@" --encoder x264 --preset ultrafast \(input.words); echo "status $?"
                """
            let output = try await ExternalProgram("bash").run(
                ["-c", script, folder.path, CommandLineTool.encbench.name] + input.command)
            let said = "\(output.text)\n\(output.standardError)"
            #expect(output.text.hasSuffix("status \(input.status)\n"), "\(said)")
            if input.status == 64 {
                let device = "--device /dev/dri/renderD128 is for --encoder vaapi"
                #expect(said.contains(input.words.contains("--device") ? device : "is an input too"))
            }
            #expect(try folder.read("in.y4m") == CommandLineTool.y4m(frames: 5))
        }
    }

    /// What tells that a command encodes: a process of its own, or a kept result of the first clip.
    private static let signs = [
        "rate": "compgen -G \"$kept/*.json\"", "keyframes": "compgen -G \"$kept/*.json\"", "realtime": "busy $! 1",
        "overhead": "busy $! 1",
    ]

    @Test("an interruption is told, ends with status 130, and leaves no file behind", arguments: commands)
    func interruption(command: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let sign = try #require(Self.signs[command[0]])
            let isKept = sign.contains("kept")
            try folder.write(CommandLineTool.y4m(frames: 2), to: "a.y4m")
            try folder.write(CommandLineTool.y4m(frames: 120, width: 96, height: 96), to: "in.y4m")
            // The encode gets the signal too, as in a terminal, when the command knows of it.
            let script =
                CommandLineTool.waiting + """
                    cd "$0"; tool=$1; kept=$2/kept; said=$2/said; shift 2; export TMPDIR=$0
                    "$tool" "$@" --preset placebo --encoder x265 > "$said" 2>&1 &
                    await \(sign) > /dev/null; kill -INT $!
                    await grep -q 'reporting what' "$said"; pkill -INT -P $!
                    wait $!; echo "status $?" >> "$said"; cat "$said"; ls
                    """
            let text = try await withTemporaryDirectory { other in
                try await ExternalProgram("bash").run(
                    ["-c", script, folder.path, CommandLineTool.encbench.name, other.path] + command
                        + (isKept ? ["a.y4m", "in.y4m", "--store", other.path("kept")] : ["in.y4m"])
                ).text
            }
            #expect(text.contains("reporting what was finished so far"), "\(text)")
            #expect(text.contains("Interrupted: encodes are missing."), "\(text)")
            #expect(text.hasSuffix("status 130\na.y4m\nin.y4m\n"), "\(text)")
        }
    }
}
