// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `compare` where standard output, folders and disks are not as usual.
@Suite struct SurroundingsTests {
    private func bash(_ script: String, in folder: TemporaryDirectory, frames: Int = 3) async throws -> String {
        try folder.write(CommandLineTool.y4m(frames: frames), to: "in.y4m")
        let preparation = """
            cd "$0" && tool=$1; compare() { "$tool" compare in.y4m --rounds 0 --encoder x264,x265 --preset ultrafast --qp 22,27,32,37 "$@"; }

            """
        return try await ExternalProgram("bash").run([
            "-c", preparation + script, folder.path, CommandLineTool.encbench.name,
        ]).text
    }

    @Test("in a terminal of 60 columns no line of the table or the bar is longer", .requiresProgram("script"))
    func narrowTerminal() async throws {
        try await withTemporaryDirectory { folder in
            let script = #"""
                cat > run << END
                stty cols 60; '$tool' compare in.y4m --preset ultrafast --qp 22,27,32,37 --rounds 0 --verbose
                END
                script -qec 'bash run' log > /dev/null < /dev/null; cat log
                """#
            // Enough work for the bar to appear on any machine.
            let lines = try await bash(script, in: folder, frames: 60).split {
                $0 == "\n" || $0 == "\r" || $0 == "\r\n"
            }
            let end = try #require(lines.firstIndex { $0.contains(" against ") })
            let table = lines[..<end].filter { !$0.hasPrefix("Script ") }
            #expect(table.count > 14 && table.contains { $0.contains("PSNR") } && table.contains { $0.hasPrefix("[") })
            #expect(table.allSatisfy { $0.count <= 60 }, "\(table.filter { $0.count > 60 })")
        }
    }

    @Test(
        "no command writes a longer line into a terminal of 60 columns", .requiresProgram("script"),
        arguments: Sample.of([
            "compare in.y4m --preset ultrafast --qp 22,27,32,37 --rounds 1", "merge plan", "measure in.y4m a=a.264",
            "rate in.y4m --preset ultrafast --average-bit-rate 200k", "keyframes in.y4m --preset ultrafast",
            "realtime in.y4m --preset ultrafast", "overhead in.y4m --preset ultrafast --rounds 1",
            "target in.y4m --psnr 35 --preset ultrafast", "probe", "properties", "verify --encoder x264",
            "verify --encoder x264 --scenario flush,levels,two-sessions",
            // The whole exam is for thorough runs.
        ]) { $0 == "verify --encoder x264" ? [] : [$0] })
    func sampledNarrowOutput(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let preparation =
                switch command.split(separator: " ")[0] {
                case "merge":
                    #""$tool" plan in.y4m --preset ultrafast --qp 22,27 --out plan; "$tool" run-point --out plan --index 0 1 2 3 4 5"#
                case "measure": #""$tool" encode in.y4m -o a.264 --encoder x264 --qp 30"#
                default: "true"
                }
            let script = #"""
                { \#(preparation); } > /dev/null 2>&1
                cat > run << END
                stty cols 60; '$tool' \#(command); echo status \$?
                END
                script -qec 'bash run' log > /dev/null < /dev/null; cat log
                """#
            let text = try await bash(script, in: folder, frames: 12)
            let lines = text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.filter { !$0.hasPrefix("Script ") }
            #expect(lines.contains("status 0") && lines.count > 4, "\(text)")
            // A word that is longer than a line, such as a list of x265's options, stays whole.
            let long = lines.filter { $0.count > 60 && $0.split(separator: " ").allSatisfy { $0.count < 50 } }
            #expect(long.isEmpty, "\(long)")
        }
    }

    @Test("an error and the last line of an encode are folded for the terminal")
    func messages() async throws {
        try await withTemporaryDirectory { folder in
            let script = #"""
                cat > run << END
                stty cols 50
                '$tool' encode in.y4m -o out.264 --encoder x264 --qp 30
                '$tool' encode in.y4m -o out.264 --encoder x264 --qp 30 --crf 20
                '$tool' compare in.y4m --anchor 'a curve that is not one of these two'
                END
                script -qec 'bash run' log > /dev/null < /dev/null; cat log
                """#
            let text = try await bash(script, in: folder, frames: 12)
            let lines = text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.filter { !$0.hasPrefix("Script ") }
            #expect(text.contains(" bytes") && text.contains("encbench: error: "), "\(text)")
            #expect(lines.allSatisfy { $0.count <= 50 }, "\(lines.filter { $0.count > 50 })")
        }
    }

    @Test("a pipe gets the table without a bar, and one that closes early ends the command with an error")
    func pipe() async throws {
        try await withTemporaryDirectory { folder in
            let text = try await bash(
                "compare | cat; compare --csv - | head -n 1 | cut -c 1-4; compare 2>&1 >&1 | true; echo ${PIPESTATUS[0]}",
                in: folder)
            #expect(text.contains("than x264 ultrafast") && !text.contains("\r") && !text.contains("\u{1B}"))
            #expect(text.hasSuffix("\nclip\n1\n"), "\(text.suffix(200))")
        }
    }

    @Test("a read-only folder is refused before anything is encoded", .requiresProgram("setpriv"))
    func readOnlyFolder() async throws {
        try await withTemporaryDirectory { folder in
            // Without capabilities root may not write there either.
            let script = """
                mkdir locked; chmod 555 locked; unset -f compare
                for option in "--json locked/r.json" "--csv locked/r.csv" "--store locked/s"; do
                    setpriv --bounding-set -all "$tool" compare in.y4m --rounds 0 --qp 30 $option 2>&1; echo $?
                done
                """
            // Only root may give up capabilities.
            let asRoot = getuid() == 0 ? script : script.replacing("setpriv --bounding-set -all ", with: "")
            let lines = try await bash(asRoot, in: folder).split(separator: "\n")
            try #require(lines.count == 6, "\(lines)")
            for (message, status) in zip(lines.indices, lines.indices.dropFirst()) where message % 2 == 0 {
                #expect(lines[message].contains("Permission denied") && lines[status] == "1", "\(lines)")
            }
        }
    }

    @Test(
        "a finished sweep is merged where nothing can be written, and its points are run again",
        .requiresProgram("setpriv"))
    func readOnlySweep() async throws {
        try await withTemporaryDirectory { folder in
            let script = """
                "$tool" plan in.y4m --encoder x264 --preset ultrafast --qp 30 --out sweep
                "$tool" run-point --index 0 1 --out sweep; chmod 555 sweep
                setpriv --bounding-set -all "$tool" run-point --index 0 1 --out sweep; echo $?
                setpriv --bounding-set -all "$tool" merge sweep > table; echo $?; chmod 755 sweep
                """
            let asRoot = getuid() == 0 ? script : script.replacing("setpriv --bounding-set -all ", with: "")
            let text = try await bash(asRoot, in: folder)
            #expect(text == "0\n0\n")
        }
    }

    @Test(
        "a store that can keep nothing is told once, and ends with status 1", .inTurn(),
        .enabled(if: getuid() == 0, "others are refused before anything is encoded"),
        arguments: ["compare", "rate --average-bit-rate 100k --peak none"])
    func storeThatKeepsNothing(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let text = try await bash(
                """
                "$tool" \(command) in.y4m --preset ultrafast --store /proc > /dev/null 2> messages; echo $?
                grep -c "cannot be kept any more" messages
                """, in: folder)
            #expect(text == "1\n1\n")
        }
    }

    @Test("a full disk ends the command with an error after the table, and leaves no half of a file", .limitsFiles)
    func fullDisk() async throws {
        try await withTemporaryDirectory { folder in
            let text = try await bash(
                """
                compare --json /dev/full 2> messages; echo $?; compare > /dev/full 2>> messages; echo $?; cat messages
                ulimit -f 1; trap '' XFSZ; compare --store store > /dev/null 2> messages; echo $?; cat messages
                compare --json r.json > /dev/null 2> messages; echo $?; cat messages; ls
                """, in: folder)
            #expect(text.contains("than x264 ultrafast"))
            #expect(text.components(separatedBy: "No space left on device").count == 3, "\(text.suffix(900))")
            #expect(text.contains("results cannot be kept any more: store/") && text.contains("File too large"))
            #expect(text.contains("error: r.json: cannot write: ") && !text.contains(".partial"), "\(text.suffix(900))")
            #expect(text.hasSuffix("\nin.y4m\nmessages\nstore\n"), "\(text.suffix(300))")
        }
    }
}
