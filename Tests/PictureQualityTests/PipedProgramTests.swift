// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc
import TestSupport
import Testing

@testable import PictureQuality

@Suite struct PipedProgramTests {
    private func shell(_ script: String, patience: Double = 20) throws -> PipedProgram {
        try PipedProgram("sh", ["-c", script], patience: patience)
    }

    @Test("more than any pipe holds goes through in both directions at once")
    func bothWays() throws {
        var random = SeededGenerator()
        let program = try shell("tee /dev/stderr")
        var expected: [UInt8] = []
        for size in [1, 70_000, 1_000_000, 3] {
            let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            try program.write(bytes)
            expected += bytes
        }
        #expect(try program.finish() == expected)
    }

    @Test(
        "a program that ends early, by a status, a signal or in peace, is told by what it said",
        arguments: [
            ("echo no such filter >&2; exit 3", "sh ended with status 3: no such filter"),
            ("kill -SEGV $$", "sh was ended by signal 11"), ("exec 0<&-; exit 0", "sh ended before its input did"),
        ])
    func early(script: String, message: String) throws {
        let program = try shell(script)
        let error = #expect(throws: CommandFailure.self) {
            for _ in 0..<100 { try program.write([UInt8](repeating: 0, count: 1 << 16)) }
        }
        #expect(error?.description == message)
    }

    @Test(
        "a program that hangs is killed with all that it started: reading nothing, never ending, talking or printing on",
        .inTurn(),
        arguments: [
            "sleep 60", "cat > /dev/null; sleep 60", "yes >&2", "cat > /dev/null; yes", "exec <&- >&- 2>&-; sleep 60",
        ])
    func hanging(script: String) async throws {
        let program = try shell("echo $$; (\(script)); true", patience: 0.5)
        let clock = ContinuousClock.now
        let error = #expect(throws: CommandFailure.self) {
            for _ in 0..<100 { try program.write([UInt8](repeating: 0, count: 1 << 16)) }
            _ = try program.finish()
        }
        #expect(clock.duration(to: .now) < .seconds(20))
        #expect(
            error?.description.contains("did not go on for") == true
                || error?.description.contains("without end") == true
                || error?.description.contains("ended before its input") == true, "\(error?.description ?? "")")
    }

    @Test("nothing is left of a program that is no longer wanted, nor of one that ended")
    func noZombies() async throws {
        for script in ["sleep 60", "true", "cat > /dev/null"] {
            let program = try shell("echo $$; \(script)")
            if script == "true" { #expect(try !program.finish().isEmpty) }
        }
        var status: CInt = 0
        // The test's own children: there may be those of others, none of which has ended unseen by them.
        #expect(waitpid(0, &status, WNOHANG) <= 0)
        let children = try await ExternalProgram("ps").run(["-o", "stat=,args=", "--ppid", "\(getpid())"]).text
        #expect(!children.contains("sleep 60") && !children.contains("<defunct>"), "\(children)")
    }

    @Test("a program that is not there is named")
    func missing() {
        let error = #expect(throws: CommandFailure.self) {
            try PipedProgram("no-such-program", [], patience: 1)
        }
        #expect(error?.description == "cannot be started: No such file or directory")
    }
}
