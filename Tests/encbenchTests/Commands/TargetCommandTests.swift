// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import ParameterSets
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct TargetCommandTests {
    private func target(_ arguments: [String]) async throws -> TargetReport {
        let output = try await CommandLineTool.encbench.run(["target", "--json", "-"] + arguments)
        return try JSONDecoder().decode(TargetReport.self, from: Data(output.standardOutput))
    }

    @Test(
        "on the bundled clip the setting reaches the goal, the next does not, and the printed command encodes the same",
        .inTurn())
    func bundledClip() async throws {
        try await withTemporaryDirectory { folder in
            let store = folder.path("store")
            let arguments = ["--psnr", "40", "--preset", "ultrafast", "--frames", "12", "--store", store]
            let report = try await target(arguments)
            #expect(report.answers.map(\.variant) == ["x264 ultrafast", "x265 ultrafast"] && report.failures.isEmpty)
            for answer in report.answers {
                let next = try #require(answer.next)
                #expect(answer.isReached && answer.found.score ?? 0 >= 40 && next.score ?? 40 < 40)
                let (found, cheaper) = (try Self.factor(answer.found.rate), try Self.factor(next.rate))
                #expect(cheaper == found + 0.25 && answer.trials.count <= 9, "\(answer.trials.map(\.rate))")
                #expect(try await Self.bytes(of: answer, in: folder) == answer.found.bytes, "\(answer.command)")
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: store)
            #expect(files.count == report.answers.reduce(0) { $0 + $1.trials.count })
            // Everything is there, so the second search is the first, and nothing is encoded again.
            #expect(try await target(arguments) == report)
            #expect(try FileManager.default.contentsOfDirectory(atPath: store).sorted() == files.sorted())
        }
    }

    /// Bytes of the stream that the printed command makes, each NAL unit after four bytes.
    private static func bytes(of answer: TargetReport.Answer, in folder: TemporaryDirectory) async throws -> Int {
        let words = answer.command.split(separator: " ").map(String.init)
        let output = folder.path(try #require(words.first { $0.hasPrefix("out.") }))
        try await CommandLineTool.encbench.run(words.dropFirst().map { $0.hasPrefix("out.") ? output : $0 })
        guard output.hasSuffix(".mkv") else { return try WholeFile.read(output).count }
        let stream = output + ".264"
        try await ExternalProgram.ffmpeg.run(["-v", "error", "-y", "-i", output, "-c", "copy", "-f", "h264", stream])
        return AnnexB.nalUnitRanges(in: try WholeFile.read(stream)).reduce(0) { $0 + $1.count + 4 }
    }

    @Test(
        "where the clip's frame rate varies the printed command encodes the same, and there is none of the x264 program",
        .inTurn(),
        .requiresProgram(.ffmpeg), arguments: ["crf", "bit-rate"])
    func variableRate(search: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = folder.path("in.mkv")
            // Half a second of 30 frames a second, then 10.
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=1", "-vf",
                "noise=alls=30:allf=t,setpts='if(lt(N,15),N/30,0.5+(N-15)/10)/TB'", "-fps_mode", "vfr", "-c:v", "ffv1",
                input,
            ])
            let arguments = [input, "--psnr", "32", "--search", search, "--preset", "superfast"]
            let report = try await target(arguments)
            #expect(report.answers.map(\.variant) == ["x264 superfast", "x265 superfast"])
            for answer in report.answers {
                #expect(try await Self.bytes(of: answer, in: folder) == answer.found.bytes, "\(answer.command)")
                #expect(answer.programCommand == nil)
                #expect(answer.programObstacle?.contains("times of its own") == true)
            }
            let compared = try await CommandLineTool.encbench.run(
                ["compare", input, "--rounds", "0", "--verbose", "--preset", "superfast", "--crf", "30"])
            #expect(compared.text.contains("No commands: the file has times of its own"))
            #expect(!compared.text.contains("in.y4m"))
        }
    }

    private static func factor(_ rate: String) throws -> Double {
        try #require(Double(rate.split(separator: " ").last ?? ""))
    }

    @Test("quantizers and bit rates are searched too, with settings that the command repeats")
    func otherScales() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 6, width: 96), to: "in y4m's.y4m")
            for (search, encoder, goal) in [("qp", "x265", 0.95), ("bit-rate", "x264", 0.95)] {
                let report = try await target([
                    input, "--ssim", "\(goal)", "--search", search, "--encoder", encoder, "--preset", "ultrafast",
                    "--no-frame-reordering", "--native", "aq-mode=0", "--max-key-frame-interval", "3",
                ])
                let answer = try #require(report.answers.first)
                #expect(
                    answer.isReached && answer.found.score ?? 0 >= goal && answer.next?.score ?? 1 < goal,
                    "\(answer.trials)")
                let command = answer.command.replacing("out.", with: folder.path("out."))
                try await ExternalProgram("bash").run([
                    "-c", command.replacing("encbench", with: CommandLineTool.encbench.name, maxReplacements: 1),
                ])
                let output = folder.path(encoder == "x264" ? "out.264" : "out.hevc")
                #expect(try WholeFile.read(output).count == answer.found.bytes, "\(command)")
            }
        }
    }

    @Test(
        "scenes of a long clip tell a setting, and size and time of the whole; the same again from the store", .inTurn()
    )
    func sample() async throws {
        try await withTemporaryDirectory { folder in
            let input = folder.path("in.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "400", "-vf",
                "noise=alls=12:allf=t:all_seed=1", "-c:v", "ffv1", input,
            ])
            let arguments = [
                input, "--psnr", "36", "--encoder", "x264", "--preset", "ultrafast", "--sample", "4", "--sample-frames",
                "16", "--store", folder.path("store"),
            ]
            let report = try await target(arguments)
            let answer = try #require(report.answers.first)
            let prediction = try #require(answer.prediction)
            #expect(answer.isReached && answer.frames == 64 && report.failures.isEmpty)
            #expect(prediction.clipFrames == 400 && prediction.scenes == 4 && prediction.sceneFrames == 16)
            #expect(answer.found.bytes == Int(prediction.bytes.value.rounded()))
            // The pictures are alike from the first to the last.
            let whole = Double(try await Self.bytes(of: answer, in: folder))
            #expect(abs(prediction.bytes.value / whole - 1) < 0.1, "\(prediction.bytes), \(whole)")
            let time = try #require(prediction.encodeSeconds)
            #expect(time.low <= time.value && time.value <= time.high && time.value > 0)
            let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("store"))
            #expect(kept.count == 4 * answer.trials.count)
            var again = try #require(try await target(arguments).answers.first)
            again.prediction?.encodeSeconds = prediction.encodeSeconds
            #expect(again == answer)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("store")).count == kept.count)
            let other = try #require(try await target(arguments + ["--sample-seed", "2"]).answers.first?.prediction)
            #expect(other.bytes != prediction.bytes && other.seed == 2)
        }
    }

    @Test("a sample that cannot be is refused by name and range")
    func refusedSamples() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 30), to: "in.y4m")
            let rows: [([String], String)] = [
                (["--sample", "2"], "'2', expected a whole number in 3...200"),
                (["--sample", "3", "--sample-frames", "7"], "'7', expected a whole number in 8...10000"),
                (["--sample", "3"], "3 scenes of 48 frames are encoded as 300 frames with those around them"),
                (["--sample", "3", "--search", "bit-rate"], "--sample is for crf and qp"),
                (["--sample-seed", "3"], "--sample-seed is for --sample"),
            ]
            for (options, reason) in rows {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["target", input, "--psnr", "36"] + options)
                }
                #expect(error?.standardError.contains(reason) == true, "\(error?.standardError ?? "")")
                #expect(error?.reason.contains("(64)") == true, "\(error?.reason ?? "")")
            }
        }
    }

    @Test("what cannot be reached ends with status 1 and the best there is, an easy goal with the cheapest setting")
    func ends() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            let options = ["--encoder", "x264", "--preset", "ultrafast"]
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["target", input, "--ssim", "1", "--encoder", "x265", "--preset", "ultrafast"])
            }
            #expect(error?.standardError.contains("SSIM 1.0000 was not reached with x265 ultrafast") == true)
            let report = try await target([input, "--ssim", "0.0001"] + options)
            let answer = try #require(report.answers.first)
            #expect(answer.isReached && answer.found.rate == "crf 51" && answer.next == nil)
            #expect(answer.command.contains(" --crf 51 --preset"))
            let small = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["target", input, "--ms-ssim", "0.9"] + options)
            }
            #expect(small?.reason.isEmpty == false)
        }
    }

    @Test("after Ctrl-C the report has what was tried", .inTurn())
    func interruption() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 150, width: 128, height: 128), to: "in.y4m")
            let script =
                CommandLineTool.waiting + """
                    cd "$0"
                    "$1" target in.y4m --psnr 40 --encoder x264 --preset veryslow --json r.json > table 2> messages & tool=$!
                    await grep -q crf messages; kill -INT $tool; wait $tool; echo $?
                    """
            let output = try await ExternalProgram("bash").run([
                "-c", script, folder.path, CommandLineTool.encbench.name,
            ])
            #expect(output.text == "130\n")
            let report = try JSONDecoder().decode(TargetReport.self, from: Data(try folder.read("r.json")))
            #expect(report.isInterrupted && report.answers.isEmpty && report.failures.isEmpty)
            let unfinished = try #require(report.unfinished.first)
            #expect(unfinished.variant == "x264 veryslow" && !unfinished.trials.isEmpty)
            let table = String(decoding: try folder.read("table"), as: UTF8.self)
            #expect(table.contains(unfinished.trials[0].rate))
            #expect(table.contains("No answer for x264 veryslow: interrupted."))
        }
    }

    @Test("VMAF is reached by the ffmpeg that is named", .requiresProgram(.newerFFmpeg))
    func vmaf() async throws {
        let report = try await target([
            "--vmaf", "90", "--preset", "ultrafast", "--frames", "4", "--encoder", "x264", "--ffmpeg",
            ExternalProgram.newerFFmpeg.name,
        ])
        let answer = try #require(report.answers.first)
        #expect(report.measuredBy.contains("libvmaf") && answer.isReached)
        #expect(answer.found.score ?? 0 >= 90 && answer.next?.score ?? 90 < 90)
    }

    @Test(
        "a command line without a goal, with two clips or an unknown option ends with status 64",
        arguments: [
            (["in.y4m"], "no goal"), (["a", "b", "--psnr", "3"], "unexpected argument 'b'"),
            (["--psnr", "3", "--device", "x11"], "--device x11 is for --encoder vaapi; x264 runs on the CPU"),
            (["--psnr", "3", "--encoder", "vaapi", "--preset", "slow"], "--preset slow: vaapi has no presets"),
            (["--psnr", "3", "--prest", "slow"], "unknown option '--prest'"),
            // The range comes first, whether or not there is an ffmpeg with libvmaf.
            (["--vmaf", "101", "--ffmpeg", "/nowhere"], "--vmaf '101', expected a number over 0 and at most 100"),
        ])
    func usage(arguments: [String], message: String) async throws {
        let script = "'\(CommandLineTool.encbench.name)' target \(arguments.joined(separator: " ")) 2>&1; echo $?"
        let text = try await ExternalProgram("bash").run(["-c", script]).text
        #expect(text.contains(message) && text.hasSuffix("64\n"), "\(text)")
    }
}
