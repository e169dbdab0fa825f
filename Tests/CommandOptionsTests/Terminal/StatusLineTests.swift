// SPDX-License-Identifier: MIT

import Testing

@testable import CommandOptions

@Suite struct StatusLineTests {
    @Test("on a terminal a line is cut to the width, and wipes what was longer before")
    func terminal() {
        var line = StatusLine(program: "tool", limit: 6)
        #expect(line.drawing("abcdefgh") == "\rabcdef")
        #expect(line.drawing("xy") == "\rxy    ")
        #expect(line.drawing("xyz") == "\rxyz")
    }

    @Test("elsewhere each text is a line of its own, behind the program's name")
    func plain() {
        var line = StatusLine(program: "tool", limit: nil)
        #expect(line.drawing("abcdefgh") == "tool: abcdefgh\n")
    }

    @Test("what is told while a line stands there takes its place")
    func toldMeanwhile() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var line = StatusLine(program: "tool", limit: 6)
            line.show("abc")
            StandardError.tell("tool: warning\n")
            StandardError.tell("tool: another\n")
            line.show("abcd")
            line.clear()
            StandardError.tell("tool: done\n")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text == "\rabc\r   \rtool: warning\ntool: another\n\rabcd\r    \rtool: done\n")
    }
}
