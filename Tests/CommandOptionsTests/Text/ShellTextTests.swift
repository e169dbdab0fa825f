// SPDX-License-Identifier: MIT

import CommandOptions
import TestSupport
import Testing

@Suite struct ShellTextTests {
    @Test("any text is one word of a shell", .requiresProgram("bash"))
    func words() async throws {
        var random = SeededGenerator()
        var texts = ["", "plain", "it's", "a b", "$(false)", "`x`", "\\", "\n", "-n", "ü€", "a'\"'b", "~", "*", "#"]
        for _ in 0..<50 {
            let bytes = (0..<12).map { _ in UInt8.random(in: 1...126, using: &random) }
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        let script = "printf '%s\\0' " + texts.map(\.shellWord).joined(separator: " ")
        let output = try await ExternalProgram("bash").run(["-c", script])
        let words = output.text.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
        #expect(words.map(String.init) == texts)
        #expect("/usr/bin/a-b_c.1".shellWord == "/usr/bin/a-b_c.1")
    }
}
