// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct ClipGroupTests {
    @Test("a group has a name and clips, whose names may have the sign between them")
    func parsing() throws {
        #expect(try OptionParsing.group("a=b=c,d") == ClipGroup(name: "a", paths: ["b=c", "d"]))
        for text in ["", "a", "=a", "a=", "a=b,,c", "a=b,"] {
            #expect(throws: OptionError.self) { try OptionParsing.group(text) }
        }
    }

    @Test(
        "groups of one name, clips that are not compared and clips that are listed twice are refused by name",
        arguments: [
            (["--group", "g=a.y4m", "--group", "g=b.y4m"], "--group g is given twice"),
            (["--group", "g=c.y4m"], "--group g: 'c.y4m' is none of the clips compared"),
            (["--group", "g=a.y4m,b.y4m,a.y4m"], "--group g: 'a.y4m' is listed twice"),
        ])
    func refusals(arguments: [String], message: String) {
        let error = #expect(throws: (any Error).self) { try PlanCommand.parse(["a.y4m", "b.y4m"] + arguments) }
        #expect(error.map { PlanCommand.message(for: $0) }?.contains(message) == true)
    }

    @Test("standard input is in a group by the name that the command line has for it")
    func standardInput() throws {
        let plan = try PlanCommand.parse(["-", "b.y4m", "--group", "g=-", "--group", "h=b.y4m,-"])
        #expect(plan.curveOptions.group.map(\.paths) == [["-"], ["b.y4m", "-"]])
        let error = #expect(throws: (any Error).self) { try PlanCommand.parse(["b.y4m", "--group", "g=-"]) }
        #expect(error.map { PlanCommand.message(for: $0) }?.contains("'-' is none of the clips compared") == true)
    }

    @Test("a plan has the groups of its clips, and so has the report that is merged from it")
    func plan() async throws {
        try await withTemporaryDirectory { folder in
            let one = try folder.write(CommandLineTool.y4m(frames: 2), to: "one.y4m")
            let two = try folder.write(CommandLineTool.y4m(frames: 3, width: 96), to: "two.y4m")
            let out = folder.path("out")
            try await CommandLineTool.encbench.run([
                "plan", one, two, "--group", "all=\(one),\(two)", "--group", "first=\(one)", "--qp", "30", "--encoder",
                "x264", "--preset", "ultrafast", "--out", out,
            ])
            let study = try Manifest.read(out + "/" + Manifest.fileName)
            #expect(study.clips.map(\.groups) == [["all", "first"], ["all"]])
            try await CommandLineTool.encbench.run(["run-point", "--index", "0", "1", "2", "3", "--out", out])
            let merged = try await CommandLineTool.encbench.run(["merge", out, "--json", "-"])
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(merged.standardOutput))
            #expect(report.groups.map(\.name) == ["all", "first"] && report.groups.map(\.clips.count) == [2, 1])
        }
    }
}
