// SPDX-License-Identifier: MIT

import BenchStudies
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct SubmissionTests {
    @Test(
        "points are dealt out in their order, no more tasks than allowed, and no fewer points than asked",
        arguments: [
            (0, 1, 5, []), (3, 1, 5, [1, 1, 1]), (7, 1, 3, [3, 3, 1]), (7, 4, 3, [4, 3]), (5, 9, 9, [5]),
            (4, 1, 1, [4]),
        ])
    func tasks(count: Int, least: Int, most: Int, sizes: [Int]) {
        let points = (0..<count).map { $0 * 2 }
        let tasks = Submission.tasks(points, least: least, most: most)
        #expect(tasks.map(\.count) == sizes)
        #expect(Array(tasks.joined()) == points)
    }

    @Test("one point is missing for each piece of work without a result")
    func missing() throws {
        var study = Studies.study()
        study.points.append(study.points[1])
        study.points.append(study.points[3])
        let results = [0, 3, 4].map { Studies.result(of: study.points[$0]) }
        #expect(Submission.missing(try Merge(study: study, results: results)) == [1, 2, 5, 6, 7, 8, 9])
    }

    @Test("the limit of an array is read from Slurm's configuration")
    func arrayLimit() {
        #expect(
            Submission.slurmArrayLimit("MailProg = /bin/mail\nMaxArraySize            = 1001\nMaxJobId = 1\n") == 1001)
        #expect(Submission.slurmArrayLimit("MaxJobCount = 10000\n") == nil)
    }

    @Test(
        "without the engine the command says what is missing, and can still print its script",
        arguments: ["slurm", "parallel"])
    func missingEngine(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 2), to: "a.y4m")
            let tool = CommandLineTool.encbench.name
            let sweep = folder.path("sweep")
            try await CommandLineTool.encbench.run(["plan", clip, "--qp", "30", "--out", sweep])
            let words = ["PATH=/nowhere", tool, "submit", "--" + name, sweep]
            let error = await #expect(throws: ExternalProgramError.self) {
                try await ExternalProgram("env").run(words)
            }
            #expect(
                error?.standardError.contains("--\(name) needs it in PATH") == true, "\(error?.standardError ?? "")")
            let script = try await ExternalProgram("env").run(words + ["--dry-run"]).text
            #expect(script.hasPrefix("#!/bin/bash\n") && script.contains("run-point --out"))
            try await ExternalProgram("bash").run(["-n", "-c", script])
        }
    }

    @Test(
        "an engine that answers otherwise than expected is refused in words",
        arguments: [
            ("slurm", "scontrol", "exit 3", "'scontrol show config' ended with status 3"),
            ("slurm", "scontrol", "echo no", "says nothing of MaxArraySize"),
            ("slurm", "scontrol", "kill -KILL $$", "signal 9 ended scontrol"),
            ("parallel", "parallel", "echo moreutils", "is not GNU parallel"),
        ])
    func oddEngine(name: String, program: String, script: String, message: String) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 2), to: "a.y4m")
            try await ExternalProgram("install").run(
                ["-m", "755", try folder.write("#!/bin/bash\n\(script)\n".utf8, to: "text"), folder.path(program)])
            try await CommandLineTool.encbench.run(["plan", clip, "--qp", "30", "--out", folder.path("sweep")])
            let error = await #expect(throws: ExternalProgramError.self) {
                try await ExternalProgram("env").run([
                    "PATH=\(folder.path):/usr/bin:/bin", CommandLineTool.encbench.name, "submit", "--" + name,
                    folder.path("sweep"),
                ])
            }
            #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
        }
    }

    @Test("the tasks are told which programs take their values", arguments: ["slurm", "parallel"])
    func programs(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 2), to: "a.y4m")
            let program = try folder.write(Array("#!/bin/sh\n".utf8), to: "my ffmpeg")
            let sweep = folder.path("sweep")
            try await CommandLineTool.encbench.run(["plan", clip, "--qp", "30", "--out", sweep])
            func script(_ options: [String]) async throws -> String {
                try await CommandLineTool.encbench.run(["submit", "--\(name)", sweep, "--dry-run"] + options).text
            }
            let variables = ["ENCBENCH_FFMPEG", "ENCBENCH_SSIMULACRA2"]
            let plain = try await script([])
            for variable in variables { #expect(!plain.contains(variable)) }
            let told = try await script(["--ffmpeg", program, "--metric-program", "ssimulacra2=\(program)"])
            for variable in variables {
                #expect(told.contains("export \(variable)=") && told.contains("/my ffmpeg"), "\(told)")
                #expect(told.contains("--env=\(variable) ") == (name == "parallel"))
            }
        }
    }

    @Test("GNU parallel does what is missing, whatever the folder is called", .requiresProgram("parallel"))
    func parallel() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(CommandLineTool.y4m(frames: 3), to: "{} {#} 'a'.y4m")
            let options = [clip, "--preset", "ultrafast", "--qp", "22,27,32,37"]
            let single = try await CommandLineTool.encbench.run(["compare", "--rounds", "0"] + options)
            let sweep = folder.path("{} {= exit =} it's $(false)")
            try await CommandLineTool.encbench.run(["plan", "--out", sweep] + options)
            try await CommandLineTool.encbench.run(["run-point", "--out", sweep, "--index", "1", "2"])
            let submit = ["submit", "--parallel", sweep, "--points-per-task", "3"]
            let output = try await CommandLineTool.encbench.run(submit)
            #expect(output.text == single.text)
            #expect(output.standardError == "encbench: 8 of 10 points are to be encoded\n")
            let again = try await CommandLineTool.encbench.run(submit)
            #expect(again.text.isEmpty && again.standardError.contains("nothing is missing"))
        }
    }

    @Test("a point that fails costs the other points of its task nothing")
    func failingPoint() async throws {
        try await withTemporaryDirectory { folder in
            let clips = try [("a.y4m", 2), ("b.y4m", 4)].map { name, frames in
                try folder.write(CommandLineTool.y4m(frames: frames), to: name)
            }
            let sweep = folder.path("sweep")
            try await CommandLineTool.encbench.run(
                ["plan"] + clips + ["--encoder", "x264", "--preset", "ultrafast", "--qp", "30", "--out", sweep])
            try folder.write(CommandLineTool.y4m(frames: 3), to: "a.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["run-point", "--out", sweep, "--index", "0", "2", "3", "1"])
            }
            #expect(error?.standardError.contains("2 of 4 points have no result") == true)
            #expect(error?.standardError.contains("x264 ultrafast, qp 30: ") == true)
            let missing = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["merge", sweep])
            }
            #expect(
                missing?.standardError.contains("--index 0 1, or submit") == true, "\(missing?.standardError ?? "")")
        }
    }
}
