// SPDX-License-Identifier: MIT

import MediaIO
import TestSupport
import Testing

@Suite struct FileNameTests {
    @Test(
        "names that are UTF-8 are their own text",
        arguments: ["", "a.y4m", "/tmp/ü €.mkv", "𝄞", "a\u{301}", "\u{10FEFF}"])
    func plain(name: String) {
        #expect(FileName.text(name.utf8) == name)
        #expect(FileName.bytes(name) == Array(name.utf8))
        #expect(name.fileName == Array(name.utf8CString))
    }

    @Test("every name comes back from its text byte by byte")
    func roundTrip() {
        var random = SeededGenerator()
        // Bytes of which UTF-8 can be made by chance, and characters that stand for bytes.
        let pieces: [[UInt8]] = [
            [0x2F], [0x61], [0xC3], [0xA9], [0xC3, 0xA9], [0xE2, 0x82], [0xAC], [0xFF], [0xF4, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x8F, 0xBC, 0x80], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5], [0x1B],
        ]
        for _ in 0..<2000 {
            let name = (0..<Int.random(in: 0...8, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            let text = FileName.text(name)
            #expect(FileName.bytes(text) == name, "\(name)")
            #expect(name.withUnsafeBytes { Array($0) } + [0] == text.fileName.map { UInt8(bitPattern: $0) })
            #expect(!text.shown.utf8.contains { $0 < 0x20 || $0 == 0x7F } && !text.shown.contains("\u{10FFFF}"))
        }
    }

    @Test(
        "what a terminal would act on, and bytes that are no text, are shown as numbers",
        arguments: [
            ("plain ü", "plain ü"), ("\u{1B}[31m", "\\x1B[31m"), ("a\nb\u{7F}", "a\\x0Ab\\x7F"), ("\u{9B}", "\\x9B"),
            (FileName.text([0x61, 0xFF]), "a\\xFF"),
        ])
    func shown(text: String, expected: String) {
        #expect(text.shown == expected)
    }
}
