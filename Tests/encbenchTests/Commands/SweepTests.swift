// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// `plan`, `run-point` and `merge`, and `compare` that is killed and goes on.
@Suite struct SweepTests {
    private let options = ["--preset", "ultrafast", "--qp", "22,27,32,37"]

    private func compare(_ folder: TemporaryDirectory, _ more: [String] = []) async throws -> ExternalProgram.Output {
        try await CommandLineTool.encbench.run(
            ["compare", folder.path("a.y4m"), folder.path("b.y4m"), "--json", folder.path("r.json"), "--rounds", "0"]
                + options + more)
    }

    private func clips(_ folder: TemporaryDirectory, frames: Int) throws {
        try folder.write(CommandLineTool.y4m(frames: frames, width: 96), to: "a.y4m")
        try folder.write(CommandLineTool.y4m(frames: frames + 2), to: "b.y4m")
    }

    private func results(_ folder: TemporaryDirectory, _ name: String) throws -> [String: Date] {
        var times: [String: Date] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path(name)) where file.hasSuffix(".json")
        {
            let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name) + "/" + file)
            times[file] = facts[.modificationDate] as? Date
        }
        return times
    }

    @Test("points encoded one by one, in any order and some twice, merge to the report of one run")
    func planRunMerge() async throws {
        try await withTemporaryDirectory { folder in
            try clips(folder, frames: 4)
            let single = try await compare(folder)
            let report = try folder.read("r.json")
            let sweep = folder.path("sweep")
            try await CommandLineTool.encbench.run(
                ["plan", folder.path("a.y4m"), folder.path("b.y4m"), "--out", sweep] + options)
            let plan = try Manifest.study(try folder.read("sweep/plan.ndjson"), path: "")
            #expect(plan.points.count == 20)
            let incomplete = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["merge", sweep])
            }
            #expect(incomplete?.standardError.contains("20 points are missing; run-point --index 0 1 2") == true)
            let indices = Array(plan.points.indices)
            for part in [indices.suffix(9), indices.prefix(15)] {
                try await CommandLineTool.encbench.run(
                    ["run-point", "--out", sweep, "--index"] + part.map(String.init))
            }
            let merged = try await CommandLineTool.encbench.run(["merge", sweep, "--json", folder.path("m.json")])
            #expect(merged.text == single.text)
            #expect(try folder.read("m.json") == report)
        }
    }

    @Test("a clip that changed since the plan is refused, and so is a point that is not in it")
    func changedClip() async throws {
        try await withTemporaryDirectory { folder in
            try clips(folder, frames: 3)
            let sweep = folder.path("sweep")
            try await CommandLineTool.encbench.run(["plan", folder.path("a.y4m"), "--out", sweep] + options)
            try folder.write(CommandLineTool.y4m(frames: 3), to: "a.y4m")
            for (index, message) in [("0", "is not the file that was planned with"), ("10", "expected 0...9")] {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["run-point", "--index", index, "--out", sweep])
                }
                #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
            }
        }
    }

    @Test("killed at random moments and started again, it gives the same report and does nothing twice")
    func sampledKillAndResume() async throws {
        var random = SeededGenerator()
        // Seconds: the first moments are before anything is kept, the last near the end.
        let moments = Sample.of((1...20).map { 0.03 * Double($0) }, least: 6) { $0 < 0.3 ? ["early"] : ["late"] }
        try await withTemporaryDirectory { folder in
            try clips(folder, frames: 30)
            let expected = try await compare(folder, ["--threads", "1"])
            let report = try folder.read("r.json")
            let store = folder.path("store")
            var before: [String: Date] = [:]
            for moment in moments.shuffled(using: &random) {
                let delay = moment + Double.random(in: 0...0.03, using: &random)
                let words =
                    ([CommandLineTool.encbench.name, "compare", "a.y4m", "b.y4m", "--rounds", "0", "--store", store]
                    + options)
                    .joined(separator: " ")
                let script =
                    "cd '\(folder.path)'; \(words) > /dev/null 2>&1 & tool=$!; sleep \(delay); kill -KILL $tool; wait"
                try await ExternalProgram("bash").run(["-c", script])
                guard FileManager.default.fileExists(atPath: store) else { continue }
                let now = try results(folder, "store")
                for (name, time) in before { #expect(now[name] == time, "\(name) was made again") }
                before = now
            }
            let resumed = try await compare(folder, ["--store", store])
            for (name, time) in before { #expect(try results(folder, "store")[name] == time) }
            #expect(resumed.text == expected.text)
            #expect(try folder.read("r.json") == report)
            #expect(try results(folder, "store").count == 20)
            let names = try FileManager.default.contentsOfDirectory(atPath: store)
            #expect(names.count == 20, "\(names.filter { $0.hasSuffix(".partial") })")
        }
    }

    /// Compares in a terminal, whose bar tells of each point at once, with a folder for temporary files, until Ctrl-C
    /// behind the first point; what it said.
    private func interrupted(_ folder: TemporaryDirectory, temporary: String) async throws -> [Substring] {
        // Of each clip the longest encodes come first: those of the small one are there before any of the other.
        try folder.write(CommandLineTool.y4m(frames: 3), to: "small.y4m")
        try folder.write(CommandLineTool.y4m(frames: 24, width: 320, height: 192), to: "in.y4m")
        let script =
            CommandLineTool.waiting + """
                cd '\(folder.path)'
                cat > run << 'END'
                stty cols 300; echo $$ > pid; export TMPDIR='\(temporary)'
                exec '\(CommandLineTool.encbench.name)' compare small.y4m in.y4m --rounds 0 --encoder x264 \
                    --preset ultrafast,placebo --qp 10,14 > rows
                END
                script -qefc 'bash run' messages > /dev/null < /dev/null & terminal=$!
                await grep -qs '[1-9]/12 points' messages; kill -INT $(cat pid); wait $terminal; echo $?
                """
        #expect(try await ExternalProgram("bash").run(["-c", script]).text == "130\n")
        return String(decoding: try folder.read("messages"), as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    @Test("after Ctrl-C the command says where its points are kept", .requiresProgram("script"))
    func resumeAfterInterrupt() async throws {
        try await withTemporaryDirectory { folder in
            let messages = try await interrupted(folder, temporary: folder.path)
            let last = try #require(messages.last { $0.contains("points are kept") }, "\(messages)")
            #expect(last.hasSuffix("goes on") && last.contains("the same command with --store"))
            let store = try #require(last.split(separator: " ").dropLast(2).last).split(separator: "/").last.map(
                String.init)
            let kept = try results(folder, try #require(store))
            #expect(!kept.isEmpty && kept.count < 12)
        }
    }

    @Test("after Ctrl-C all points of the plan that the store holds are counted, whoever made them", .inTurn())
    func count() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 24, width: 320, height: 192), to: "in.y4m")
            // The last points are made in advance, the first are soon, and those between take minutes.
            let script =
                CommandLineTool.waiting + """
                    cd '\(folder.path)'; tool='\(CommandLineTool.encbench.name)'
                    options="in.y4m --encoder x264 --qp 10,14 --store s"
                    "$tool" compare --rounds 0 $options --preset ultrafast > /dev/null
                    "$tool" compare --rounds 0 $options --preset superfast,placebo,ultrafast > rows 2> messages & job=$!
                    more() { [ "$(ls s | wc -l)" -ge 4 ]; }; await more; kill -INT $job; wait $job; echo $?
                    """
            #expect(try await ExternalProgram("bash").run(["-c", script]).text == "130\n")
            let messages = String(decoding: try folder.read("messages"), as: UTF8.self)
            // Of the others some may be there, on a fast machine.
            let count = try results(folder, "s").count
            #expect(count >= 4 && messages.contains("encbench: \(count) of 9 points are kept"), "\(messages)")
        }
    }

    @Test("Ctrl-C ends with 130 also where nothing can be kept", .requiresProgram("script"))
    func unwritableTemporaryFolder() async throws {
        try await withTemporaryDirectory { folder in
            let messages = try await interrupted(folder, temporary: "/no/such/folder")
            let reason = "the finished points cannot be kept: /no/such/folder"
            #expect(messages.contains { $0.contains(reason) }, "\(messages)")
        }
    }

    @Test(
        "a signal while the input is still being read ends the command, with nothing encoded",
        arguments: [("INT", 130), ("TERM", 143)])
    func interruptedPlanning(name: String, status: Int) async throws {
        // A background command of a shell starts with SIGINT ignored; it must be seen all the same.
        // The shell opens the pipe when the command has, which then waits for bytes.
        let script =
            CommandLineTool.waiting + """
                mkfifo "$0/pipe"; '\(CommandLineTool.encbench.name)' compare --rounds 0 "$0/pipe" 2> /dev/null & tool=$!
                exec 3> "$0/pipe"; await asleep $tool; kill -\(name) $tool
                head -c 3000000 /dev/zero >&3; wait $tool; echo $?
                """
        let output = try await withTemporaryDirectory { folder in
            try await ExternalProgram("bash").run(["-c", script, folder.path]).text
        }
        #expect(output == "\(status)\n")
    }

    @Test("input from a pipe is compared like the file")
    func pipe() async throws {
        try await withTemporaryDirectory { folder in
            let bytes = CommandLineTool.y4m(frames: 3)
            let path = try folder.write(bytes, to: "in.y4m")
            let piped = try await CommandLineTool.encbench.run(
                ["compare", "-", "--rounds", "0", "--encoder", "x264"] + options, input: bytes)
            let file = try await CommandLineTool.encbench.run(
                ["compare", path, "--rounds", "0", "--encoder", "x264"] + options)
            let (own, expected) = (piped.text.split(separator: "\n"), file.text.split(separator: "\n"))
            #expect(own.dropFirst(2) == expected.dropFirst(2))
        }
    }
}
