// SPDX-License-Identifier: MIT

import Testing

@testable import encbench

@Suite struct TextTableTests {
    @Test("words are aligned to the left, numbers to the right, and lines have no trailing blanks")
    func alignment() {
        var table = TextTable([.words("name"), .number("bytes"), .words("note")])
        table.add(["x264", "12", ""])
        table.add(["a longer one", "123456", "ok"])
        #expect(
            table.text == """
                name           bytes  note
                ------------  ------  ----
                x264              12
                a longer one  123456  ok

                """)
    }
}

@Suite struct FormatTests {
    @Test(
        "decimals are fixed and rounded",
        arguments: [
            (1.005, 1, "1.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (12.345, 0, "12"), (0.999, 2, "1.00"),
            (3.04, 2, "3.04"), (.nan, 1, "-"), (.infinity, 1, "-"),
        ])
    func fixed(value: Double, decimals: Int, text: String) {
        #expect(Format.fixed(value, decimals) == text)
    }

    @Test("changes carry a sign, bit rates a unit, and bytes are grouped")
    func units() {
        #expect(Format.change(-0.2143) == "-21.4 %")
        #expect(Format.change(0.03) == "+3.0 %")
        #expect(Format.bitRate(812) == "812 bit/s")
        #expect(Format.bitRate(812_340) == "812.3 kbit/s")
        #expect(Format.bitRate(2_500_000) == "2.50 Mbit/s")
        #expect(Format.grouped(1_234_567) == "1 234 567")
        #expect(Format.grouped(-1000) == "-1 000")
        #expect(Format.grouped(999) == "999")
    }
}

@Suite struct ProgressBarTests {
    @Test("a bar shows work, speed and what is left")
    func line() {
        #expect(
            ProgressBar.line(done: 60, total: 120, label: "x264", seconds: 2)
                == "[##########          ] 60/120 frames  30.0 fps  2 s left  x264")
        #expect(ProgressBar.line(done: 5, total: nil, label: "x264", seconds: 0) == "5 frames  0.0 fps  x264")
    }
}

@Suite struct JSONDocumentTests {
    @Test("names are sorted and slashes stay")
    func bytes() throws {
        let text = String(decoding: try JSONDocument.bytes(["b": "1/2", "a": "x"]), as: UTF8.self)
        #expect(text == "{\n  \"a\" : \"x\",\n  \"b\" : \"1/2\"\n}\n")
    }
}
