// SPDX-License-Identifier: MIT

import Testing

@testable import encpublish

@Suite struct SplitAddressTests {
    @Test(
        "words behind an address are hidden up to the next option, but for files",
        arguments: [
            (["in.mp4", "--to", "srt://h:9?passphrase=my", "secret", "word"], "in.mp4 '…', '…'"),
            (["--to", "rtmp://h/a/k", "secret", "--json", "word", "in.mp4"], "in.mp4 '…', 'word'"),
            (["--to=rtmp://h/a/k", "in.mp4", "secret", "word"], "in.mp4 '…', '…'"),
            (["--to", "rtmp:h/a/k", "--secret=x", "word"], "in.mp4 'secret', '…'"),
            (["--to", "a.mp4", "secret", "word"], "in.mp4 'secret', 'word'"), ([], "in.mp4 'secret', 'word'"),
            (["secret", "--to", "rtmp://h/a/k", "word"], "in.mp4 'secret', '…'"),
        ])
    func words(arguments: [String], shown: String) {
        let split = SplitAddress(arguments, options: ["--to", "--json"]) { $0 == "in.mp4" }
        #expect(split.hidden(in: "in.mp4 'secret', 'word'") == shown)
    }

    @Test("a word is hidden where it stands by itself, with an unknown option's name too, and nowhere else")
    func wholeWords() {
        let split = SplitAddress(["srt://h:9?p=a", "a", "it", "--an=x y"], options: []) { _ in false }
        #expect(split.hidden(in: "a bit, an item: it 'a' --an") == "… bit, an item: … '…' …")
        #expect(split.hidden(in: "--an=x y, or --any") == "…, or --any")
    }

    @Test("all options of the program are known, with their hyphens")
    func options() {
        let names = Encpublish.optionNames
        #expect(names.isSuperset(of: ["--to", "--copy", "--json", "--set", "--help", "-h", "--version"]))
        #expect(names.allSatisfy { $0.hasPrefix("-") && $0.count > 1 })
    }
}
