// SPDX-License-Identifier: MIT

import Testing

@testable import BenchReports

@Suite struct HTMLTests {
    @Test("nothing in a name becomes markup")
    func escaping() {
        #expect(HTML.escaped("<a href=\"x\">&\u{1B}\n") == "&lt;a href=&quot;x&quot;&gt;&amp;\u{FFFD}\n")
        #expect(HTML.element("p", ["title": "\"<"], "x") == "<p title=\"&quot;&lt;\">x</p>")
    }

    @Test(
        "numbers have minus signs, narrow spaces, and a dash where there is none",
        arguments: [
            ("-", "–"), ("-18.5 %", "\u{2212}18.5\u{202F}%"), ("158 543", "158\u{202F}543"), ("12", "12"),
            ("-3.0 % to -1.0 %", "\u{2212}3.0\u{202F}%\u{202F}to\u{202F}\u{2212}1.0\u{202F}%"),
        ])
    func numbers(text: String, html: String) {
        #expect(HTML.number(text) == html)
    }

    @Test("a table has a caption, and heads for its columns and rows, and the keyboard reaches it to scroll")
    func table() {
        var table = TextTable([.words("encoder"), .number("bytes")])
        table.add(["x264 <medium>", "1 234"])
        let html = HTML.table(table, caption: "Points")
        for part in [
            "<caption class=\"unseen\">Points</caption>", "<th scope=\"col\" class=\"n\">bytes</th>",
            "<th scope=\"row\">x264 &lt;medium&gt;</th>", "<td class=\"n\">1\u{202F}234</td>",
            "role=\"region\" tabindex=\"0\" aria-label=\"Points\"",
        ] { #expect(html.contains(part), "\(part) in \(html)") }
    }

    @Test(
        "sentences keep units with their numbers and have curved apostrophes",
        arguments: [
            ("it's 40 % of x264's, 3.1 dB less", "it\u{2019}s 40\u{202F}% of x264\u{2019}s, 3.1\u{A0}dB less"),
            ("'a % b' < c", "'a % b' &lt; c"),
        ])
    func prose(text: String, html: String) {
        #expect(HTML.prose(text) == html)
    }

    @Test(
        "names may break after their words, not within",
        arguments: [
            ("foreman_akiyo_cuts.y4m", "foreman_<wbr>akiyo_<wbr>cuts.y4m"), ("x265 medium", "x265 medium"),
            ("a-b<c", "a-b&lt;c"), ("clip0.y4m", "clip0.<wbr>y4m"),
        ])
    func breakable(name: String, html: String) {
        #expect(HTML.breakable(name) == html)
    }
}
