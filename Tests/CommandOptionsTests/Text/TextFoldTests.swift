// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import CommandOptions

@Suite struct TextFoldTests {
    @Test(
        "long lines go on further right, below what a label leads to, and with their units",
        arguments: [
            ("short\n\nlines stay\n", "short\n\nlines stay\n"),
            ("  needs 10 % of the bytes", "  needs 10 % of the\n    bytes"),
            ("the share rises to 18.5 % now", "the share rises to\n  18.5 % now"),
            ("  tunes   film, grain, psnr, ssim", "  tunes   film,\n          grain,\n          psnr, ssim"),
            ("bytes in all: 1 234 567", "bytes in all:\n  1 234 567"),
            ("/a/path/that/no/line/has/room/for: 3 dB", "/a/path/that/no/line/has/room/for:\n  3 dB"),
        ])
    func prose(text: String, folded: String) {
        #expect(TextFold.prose(text, width: 20) == folded)
        #expect(TextFold.prose(text, width: nil) == text)
    }

    @Test("what a folded command could not break stays as it is")
    func longArgument() {
        let command = TextFold.command("x --params \(String(repeating: "a", count: 30)) -o b", width: 20)
        #expect(TextFold.prose(command, width: 20) == command && command.contains("aaa \\\n"))
    }

    @Test("a command that is folded is the same to a shell", arguments: [20, 30, 44, 60, 200])
    func command(width: Int) async throws {
        let command = "printf '%s|' --preset 'very fast' --crf 17 -o out.264 --no-info in.y4m 'a b c d' last"
        let folded = TextFold.command(command, width: width)
        #expect(folded.split(separator: "\n").allSatisfy { $0.count <= width && $0.hasPrefix("  ") }, "\(folded)")
        let words = try await ExternalProgram("bash").run(["-c", folded]).text
        #expect(words == "--preset|very fast|--crf|17|-o|out.264|--no-info|in.y4m|a b c d|last|")
        #expect(TextFold.command(command, width: nil) == "  " + command)
    }
}
