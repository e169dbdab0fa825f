// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// `encbench submit --slurm` with the real Slurm.
@Suite(.requiresPrograms(SlurmCluster.programs)) struct SlurmTests {
    private static let options = "--preset medium --qp 22,27,32,37"

    private func clips(_ folder: TemporaryDirectory) throws {
        try folder.write(CommandLineTool.y4m(frames: 24, width: 176, height: 144), to: "a.y4m")
        try folder.write(CommandLineTool.y4m(frames: 20, width: 160, height: 144), to: "it's \"b\" $(false).y4m")
    }

    @Test(
        "a task and a node that die cost no point: what is missing is submitted again, and the report is that of one machine",
        .thorough())
    func thoroughFailures() async throws {
        try await withTemporaryDirectory { folder in
            try clips(folder)
            // Slurm would replace %A, a shell the rest.
            let script = #"""
                sweep='it'"'"'s a %A "sweep" $(touch hacked) {}'
                "$tool" compare *.y4m --rounds 0 \#(Self.options) --json single.json > single.txt || exit
                "$tool" plan *.y4m \#(Self.options) --out "$sweep" 2>/dev/null
                "$tool" submit --slurm "$sweep" 2>/dev/null || echo 'the first submission failed'
                "$tool" submit --slurm "$sweep" 2>&1 | grep -o 'still work on it'
                end_task n1
                end_node
                drained
                nodes; echo
                sed -n 's/ points are missing.*//p' "$sweep/merge.log"
                ls -l --time-style=full-iso "$sweep"/*.point.json > times
                "$tool" submit --slurm "$sweep" -- --json merged.json 2> messages || echo 'the second submission failed'
                sed -n 's/.*encbench: \(.*\) of 20 points are to be encoded/\1/p' messages
                drained
                ls -l --time-style=full-iso "$sweep"/*.point.json | grep -vxFf times | wc -l
                cat "$sweep/merge.log"
                cmp "$sweep/report.txt" single.txt && cmp merged.json single.json && echo equal
                "$tool" submit --slurm "$sweep" 2>&1
                [ ! -e hacked ] || echo hacked
                """#
            let output = try await SlurmCluster.run(script, arraySize: 8, in: folder)
            let lines = output.text.split(separator: "\n").map(String.init)
            try #require(lines.count == 7, "\(output.text)\n\(output.standardError)")
            #expect(lines[0] == "still work on it")
            // The node's task went back into the queue, the task that was killed did not.
            #expect(lines[1] == "idledown*" || lines[1] == "idledown")
            let missing = try #require(Int(lines[2].split(separator: " ").last ?? ""))
            #expect((1...3).contains(missing), "tasks had three points")
            #expect(lines[3] == "\(missing)" && lines[4] == "\(missing)")
            #expect(lines[5] == "equal")
            #expect(lines[6].hasPrefix("encbench: nothing is missing"))
        }
    }

    @Test("what Slurm refuses ends the command with Slurm's reason, and leaves no job behind", .thorough())
    func thoroughRefusals() async throws {
        try await withTemporaryDirectory { folder in
            try clips(folder)
            let script = #"""
                "$tool" plan a.y4m \#(Self.options) --out sweep 2>/dev/null
                "$tool" submit --slurm sweep --engine-option=--partition=nowhere 2>&1; echo $?
                "$tool" submit --slurm sweep -- --no-such-option 2>&1; echo $?
                "$tool" submit --slurm sweep --dry-run | grep -o -e '--array=0-[0-9]*'
                squeue --noheader
                """#
            let output = try await SlurmCluster.run(script, arraySize: 4, in: folder).text
            #expect(output.contains("sbatch: error: invalid partition specified: nowhere"), "\(output)")
            #expect(output.contains("not all submitted and merged: status 1; the messages above say why\n1\n"))
            #expect(output.contains("Unknown option '--no-such-option'"))
            // Ten points in arrays of four tasks at most.
            #expect(output.hasSuffix("--array=0-3\n"))
        }
    }
}
