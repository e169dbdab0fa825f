// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct VersionTests {
    @Test("--version names this program and the build of each library")
    func version() async throws {
        let text = try await CommandLineTool.encbench.run(["--version"]).text
        #expect(text.hasPrefix("encbench \(VersionText.package)\n"))
        #expect(text.contains("x264 0.") && text.contains("x265 "))
    }

    @Test("--help names every subcommand, and each explains itself")
    func help() async throws {
        let help = try await CommandLineTool.encbench.run(["--help"]).text
        for command in ["compare", "encode", "inspect", "probe", "verify"] {
            #expect(help.contains("\n  \(command) "), "\(command)")
            #expect(
                try await CommandLineTool.encbench.run([command, "--help"]).text.contains("USAGE: encbench \(command)"))
        }
    }
}
