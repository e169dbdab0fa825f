// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport

/// The built program, run as a user runs it.
enum CommandLineTool {
    /// The executable, which is built into the same folder as the tests.
    static let encbench: ExternalProgram = {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return ExternalProgram((path.isEmpty ? "." : path) + "/encbench")
    }()

    /// Functions for scripts of bash that wait for what happens instead of for seconds.
    ///
    /// `await COMMAND...` tries a command until it succeeds, and ends the script with status 99 when that takes too
    /// long. `asleep PROCESS` tells whether every thread of a process waits, several times in a row;
    /// `busy PROCESS COUNT` whether it has started so many processes, asked again and again.
    static let waiting = """
        await() {
            local end=$((SECONDS + \(Int(6 * Patience.seconds))))
            until "$@"; do
                if [ $SECONDS -ge $end ]; then echo "waited in vain for: $*" >&2; exit 99; fi
                sleep 0.02
            done
        }
        asleep() {
            for look in 1 2 3 4; do
                if grep -qs '^State:[[:space:]]*[RD]' /proc/$1/task/*/status; then return 1; fi
                sleep 0.02
            done
        }
        declare -A children
        busy() {
            for child in $(pgrep -P $1); do children[$child]=1; done
            [ ${#children[@]} -ge $2 ]
        }

        """

    /// A Y4M file of noisy pictures, the same each time.
    static func y4m(frames: Int, width: Int = 64, height: Int = 64) -> [UInt8] {
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F25:1 Ip A1:1 C420jpeg\n".utf8)
        for frame in 0..<frames {
            bytes += Array("FRAME\n".utf8)
            for sample in 0..<width * height * 3 / 2 {
                bytes.append(UInt8(truncatingIfNeeded: sample &* (7 + sample / width) / 5 &+ frame * 2))
            }
        }
        return bytes
    }
}

extension ExternalProgram {
    /// What a command writes as JSON.
    func report<Report: Decodable>(_ report: Report.Type, _ arguments: [String]) async throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(try await run(arguments + ["--json", "-"]).standardOutput))
    }
}
