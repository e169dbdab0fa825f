// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import BenchReports
@testable import EncoderBench

@Suite(.requiresProgram("chromium", .ffmpeg)) struct PageInBrowserTests {
    /// A picture of a page as Chromium shows it.
    private struct Screenshot {
        let width: Int
        let rgb: [UInt8]

        func color(x: Int, y: Int) -> [UInt8] { Array(rgb[((y * width + x) * 3)...].prefix(3)) }

        func count(of color: [UInt8]) -> Int {
            stride(from: 0, to: rgb.count, by: 3).count { rgb[$0..<$0 + 3].elementsEqual(color) }
        }
    }

    private func chromium(_ html: String, width: Int, height: Int = 2400, _ options: [String]) async throws -> [UInt8] {
        try await withTemporaryDirectory { folder in
            let page = try folder.write(Array(html.utf8), to: "page.html")
            return try await ExternalProgram("chromium").run(
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--user-data-dir=" + folder.path("profile"), "--window-size=\(width),\(height)",
                ] + options + ["file://" + page]
            ).standardOutput
        }
    }

    private func show(_ html: String, width: Int, height: Int = 2400, isDark: Bool = false) async throws -> Screenshot {
        try await withTemporaryDirectory { folder in
            let picture = folder.path("page.png")
            _ = try await chromium(
                html, width: width, height: height,
                ["--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--screenshot=" + picture])
            let rgb = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ]).standardOutput
            #expect(rgb.count == width * height * 3)
            return Screenshot(width: width, rgb: rgb)
        }
    }

    @Test(
        "light and dark, the page has its ground, its words and the colors of both curves", .thorough(),
        arguments: [false, true])
    func thoroughColors(isDark: Bool) async throws {
        let shot = try await show(ComparisonPage(report: try Pages.report()).html, width: 1280, isDark: isDark)
        let ground: [UInt8] = isDark ? [0x15, 0x18, 0x1b] : [0xfc, 0xfc, 0xfb]
        let text: [UInt8] = isDark ? [0xe6, 0xe8, 0xea] : [0x1c, 0x20, 0x24]
        let curves: [[UInt8]] =
            isDark ? [[0x82, 0xb6, 0xf0], [0xf0, 0xa2, 0x64]] : [[0x1f, 0x5f, 0xa8], [0xb0, 0x4a, 0x0a]]
        #expect(shot.color(x: 2, y: 2) == ground && shot.color(x: 1277, y: 2397) == ground)
        #expect(shot.count(of: text) > 2000)
        for color in curves { #expect(shot.count(of: color) > 1000, "\(color)") }
    }

    /// The page with a bar on top that tells in green whether it is as wide as the window, and in red where it is
    /// wider.
    private func measured(_ html: String) -> String {
        html.replacing(
            "</body>",
            with: """
                <script>const bar = document.createElement("div"), root = document.documentElement;
                bar.style = "position:fixed;top:0;left:0;width:20px;height:20px";
                document.body.append(bar);
                new ResizeObserver(() => {
                const fits = root.scrollWidth <= root.clientWidth && innerWidth == 360;
                bar.style.background = fits ? "#00ff00" : "#ff0000" }).observe(root)</script></body>
                """)
    }

    @Test("360 pixels are wide enough: what is wider scrolls by itself, the page does not", .thorough())
    func thoroughNarrow() async throws {
        var report = try Pages.report()
        report.clips[0].name = String(repeating: "a_very_long_name-", count: 9) + ".y4m"
        let html = ComparisonPage(report: report).html
        #expect(try await show(measured(html), width: 360).color(x: 5, y: 5) == [0, 255, 0])
        let broken = html.replacing("<main>", with: "<main><div style=\"width:500px\">x</div>")
        #expect(try await show(measured(broken), width: 360).color(x: 5, y: 5) == [255, 0, 0])
    }

    // MARK: - As the browser lays it out

    /// What a script finds in a page.
    private struct Findings: Decodable {
        /// Something that Tab stops at.
        struct Stop: Decodable {
            var name: String
            var isFocused: Bool
            /// Whether an outline shows the focus.
            var isMarked: Bool
            var isAfterLast: Bool
        }

        var stops: [Stop]
        /// Parts that scroll and that no key reaches, or that have no name.
        var unreachable: [String]
        /// Names of tables that are wider than their room.
        var scrollingTables: [String]
        var brokenWords: [String]
        /// Words of drawings that lie on each other.
        var overlaps: [String]
        var isPageWider: Bool
        var width: Int
    }

    private func findings(_ html: String, width: Int) async throws -> Findings {
        let script = """
            <script>
            for (const part of document.querySelectorAll("details")) part.open = true;
            const all = [...document.querySelectorAll("body *:not(script)")], root = document.documentElement;
            const name = e => e.ariaLabel || e.textContent.trim();
            let last = null;
            const stops = all.filter(e => e.tabIndex >= 0).map(e => {
                e.focus();
                const style = getComputedStyle(e), box = e.getClientRects()[0];
                const top = box.top + scrollY, middle = top + box.height / 2;
                const isAfterLast = !last || middle > last.bottom || (middle > last.top && box.left >= last.left);
                if (!e.matches(".skip")) last = { top, left: box.left, bottom: top + box.height };
                return { name: name(e), isFocused: document.activeElement === e, isAfterLast,
                    isMarked: e.matches(":focus-visible") && style.outlineStyle != "none"
                        && parseFloat(style.outlineWidth) >= 2 };
            });
            const scrolls = all.filter(e => ["auto", "scroll"].includes(getComputedStyle(e).overflowX)
                && e.scrollWidth > e.clientWidth);
            const unreachable = scrolls.filter(e => e.getAttribute("tabindex") != "0" || !e.ariaLabel
                || e.getAttribute("role") != "region").map(name);
            const scrollingTables = scrolls.filter(e => e.querySelector("table")).map(name);
            const brokenWords = [], overlaps = [];
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const node = texts.currentNode;
                if (!node.parentElement.closest("table, .answers") || node.parentElement.closest(".unseen, svg")) continue;
                for (const word of node.data.matchAll(/[^\\s]+/g)) {
                    const range = document.createRange();
                    range.setStart(node, word.index);
                    range.setEnd(node, word.index + word[0].length);
                    const tops = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
                    if (tops.size > 1) brokenWords.push(word[0]);
                }
            }
            for (const drawing of document.querySelectorAll("svg[role=img]")) {
                const words = [...drawing.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
                words.forEach(([one, a], place) => words.slice(0, place).forEach(([other, b]) => {
                    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    // Boxes have room for accents above and tails below.
                    if (x > 1 && y > 4) overlaps.push(other + " / " + one);
                }));
            }
            const found = { stops, unreachable, scrollingTables, brokenWords, overlaps, width: innerWidth,
                isPageWider: root.scrollWidth > root.clientWidth };
            const text = btoa(unescape(encodeURIComponent(JSON.stringify(found))));
            parent.document.body.textContent = "FOUND" + text + "FOUND";
            </script></body>
            """
        // A window that nothing is drawn for is never narrower than 500 pixels; a frame in it is as narrow as it is
        // made.
        let frame = HTML.element(
            "iframe",
            [
                "style": "width:\(width)px;height:2400px;border:0",
                "srcdoc": html.replacing("</body>", with: script),
            ], "")
        let page =
            "<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body style=\"margin:0\">\(frame)</body></html>"
        let dom = try await chromium(page, width: max(width, 600), ["--dump-dom"])
        let parts = String(decoding: dom, as: UTF8.self).components(separatedBy: "FOUND")
        let data = try #require(parts.count == 3 ? Data(base64Encoded: parts[1]) : nil)
        return try JSONDecoder().decode(Findings.self, from: data)
    }

    /// A report whose clips have names as files have them.
    private var realistic: ComparisonReport {
        get throws {
            var report = try Pages.report()
            let names = ["carphone_qcif_120f.y4m", "foreman_akiyo_cuts_cif_21f.y4m", "bbb_title_cif_48f.mkv"]
            for (index, name) in names.enumerated() {
                let old = report.clips[index].name
                let new = "/a/folder/of/media/" + name
                report.clips[index].name = new
                guard var timing = report.timing else { continue }
                for place in timing.entries.indices where timing.entries[place].clip == old {
                    timing.entries[place].clip = new
                }
                for place in timing.pairs.indices where timing.pairs[place].clip == old {
                    timing.pairs[place].clip = new
                }
                report.timing = timing
            }
            report.pairTests = [
                ComparisonReport.PairTest(
                    firstAnchor: "x264 medium", firstTest: "x265 medium", anchor: "x264 veryslow",
                    test: "x265 veryslow",
                    score: "psnr_y_db", clips: 3, clipsWithLess: 2, shareChange: -0.1, probability: 0.5)
            ]
            return report
        }
    }

    @Test(
        "at any width no word is broken, no label lies on another, and only tables scroll that need to", .thorough(),
        arguments: [360, 380, 390, 768, 1280, 1600])
    func thoroughLayout(width: Int) async throws {
        let found = try await findings(ComparisonPage(report: try realistic).html, width: width)
        #expect(found.width == width && !found.isPageWider)
        #expect(found.brokenWords.isEmpty, "\(found.brokenWords)")
        #expect(found.overlaps.isEmpty, "\(found.overlaps)")
        if width >= 1280 { #expect(found.scrollingTables.isEmpty, "\(found.scrollingTables)") }
        // Shares fold instead of scrolling.
        #expect(!found.scrollingTables.contains { $0.hasPrefix("Bytes that ") }, "\(found.scrollingTables)")
    }

    @Test(
        "on a phone and on a desk no number of a ladder is cut, and nothing scrolls", .thorough(),
        arguments: [390, 1280])
    func thoroughLadder(width: Int) async throws {
        var report = try LadderTests.report()
        report.clips[0].name = "/a/folder/of/media/foreman_akiyo_cuts_cif_21f.y4m"
        let found = try await findings(LadderPage(report).html, width: width)
        #expect(found.width == width && !found.isPageWider)
        #expect(found.brokenWords.isEmpty && found.overlaps.isEmpty, "\(found.brokenWords) \(found.overlaps)")
        #expect(found.scrollingTables.isEmpty && found.unreachable.isEmpty, "\(found.scrollingTables)")
        for stop in found.stops { #expect(stop.isFocused && stop.isMarked && stop.isAfterLast, "\(stop)") }
    }

    @Test(
        "Tab reaches all that is to be followed, opened or scrolled, in reading order, and shows where it is",
        .thorough(),
        arguments: [380, 1280])
    func thoroughKeyboard(width: Int) async throws {
        let html = ComparisonPage(report: try realistic).html
        let found = try await findings(html, width: width)
        #expect(found.stops.first?.name == "To the answer")
        let links = html.matches(of: #/<a /#).count
        let summaries = html.matches(of: #/<summary>/#).count
        let regions = html.matches(of: #/role="region"/#).count
        #expect(found.stops.count == links + summaries + regions && summaries > 0 && regions > 0)
        for stop in found.stops {
            #expect(stop.isFocused && stop.isMarked && stop.isAfterLast && !stop.name.isEmpty, "\(stop)")
        }
        #expect(found.unreachable.isEmpty, "\(found.unreachable)")
        let broken = html.replacing(" tabindex=\"0\"", with: "").replacing(
            "<main>", with: "<main><pre style=\"overflow:auto\">\(String(repeating: "x", count: 2000))</pre>")
        let faults = try await findings(broken, width: width)
        #expect(!faults.unreachable.isEmpty)
    }
}
