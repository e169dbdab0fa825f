// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite struct ExternalProgramTests {
    @Test("output is captured whole, beyond the size of a pipe")
    func capturesOutput() async throws {
        let input = [UInt8](repeating: 0xA5, count: 1_000_000)
        let output = try await ExternalProgram("cat").run([], input: input)
        #expect(output.standardOutput == input)
        #expect(output.standardError.isEmpty)
    }

    @Test("a failure names the command line, the status and the program's own message")
    func reportsFailure() async {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await ExternalProgram("sh").run(["-c", "echo broken >&2; exit 3"])
        }
        #expect(error?.description == "sh -c echo broken >&2; exit 3\nexited(3)\nbroken\n")
    }

    @Test("a program may end without reading all of its input")
    func partlyReadInput() async throws {
        let input = [UInt8](repeating: 7, count: 4_000_000)
        #expect(try await ExternalProgram("head").run(["-c", "1"], input: input).standardOutput == [7])
    }

    @Test("a program that is not installed is found missing without being started")
    func missingProgram() async {
        let program = ExternalProgram("no-such-program-at-all")
        #expect(!program.isAvailable)
        let error = await #expect(throws: ExternalProgramError.self) {
            try await program.run([])
        }
        #expect(error?.reason == "not installed")
    }
}
