// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import encbench

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

    private func show(_ html: String, width: Int, height: Int = 2400, isDark: Bool = false) async throws -> Screenshot {
        try await withTemporaryDirectory { folder in
            let page = try folder.write(Array(html.utf8), to: "page.html")
            let picture = folder.path("page.png")
            try await ExternalProgram("chromium").run([
                "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--user-data-dir=" + folder.path("profile"), "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
                "--window-size=\(width),\(height)", "--screenshot=" + picture, "file://" + page,
            ])
            let rgb = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ]).standardOutput
            #expect(rgb.count == width * height * 3)
            return Screenshot(width: width, rgb: rgb)
        }
    }

    @Test("light and dark, the page has its ground, its words and the colors of both curves", arguments: [false, true])
    func colors(isDark: Bool) async throws {
        let shot = try await show(ComparisonPage(report: try Pages.report()).html, width: 1280, isDark: isDark)
        let ground: [UInt8] = isDark ? [0x15, 0x18, 0x1b] : [0xfc, 0xfc, 0xfb]
        let text: [UInt8] = isDark ? [0xe6, 0xe8, 0xea] : [0x1c, 0x20, 0x24]
        let curves: [[UInt8]] =
            isDark ? [[0x82, 0xb6, 0xf0], [0xf0, 0xa2, 0x64]] : [[0x1f, 0x5f, 0xa8], [0xb0, 0x4a, 0x0a]]
        #expect(shot.color(x: 2, y: 2) == ground && shot.color(x: 1277, y: 2397) == ground)
        #expect(shot.count(of: text) > 2000)
        for color in curves { #expect(shot.count(of: color) > 1000, "\(color)") }
    }

    /// The page with a bar on top that tells in green whether it is as wide as the window, and in red where it is wider.
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

    @Test("360 pixels are wide enough: what is wider scrolls by itself, the page does not")
    func narrow() async throws {
        var report = try Pages.report()
        report.clips[0].name = String(repeating: "a_very_long_name-", count: 9) + ".y4m"
        let html = ComparisonPage(report: report).html
        #expect(try await show(measured(html), width: 360).color(x: 5, y: 5) == [0, 255, 0])
        let broken = html.replacing("<main>", with: "<main><div style=\"width:500px\">x</div>")
        #expect(try await show(measured(broken), width: 360).color(x: 5, y: 5) == [255, 0, 0])
    }
}
