// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import RecordedStreams
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// The page in Debian's Chromium as it is used: by keys, by what a screen reader is told, in light and in dark.
    @Suite(.requiresProgram("chromium", .ffmpeg), .requiresPythonPeers) struct PageUseTests {
        /// Serves the page to a browser.
        private func withPage(
            _ fragment: String = "",
            _ body: (WebSocketServer, BrowserPage, TemporaryDirectory) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                let server = try WebSocketServer(WebSocketServer.Configuration())
                let page = try BrowserPage("http://127.0.0.1:\(try await server.start())/\(fragment)", in: folder)
                #expect(await eventually { server.statistics?.viewers == 1 }, "\(page.program.output)")
                try await body(server, page, folder)
                page.program.end()
                await server.stop()
            }
        }

        @Test(
            "of HEVC, which this browser does not decode, the page says so and what to do", .thorough(),
            arguments: ["", "#mse"])
        func thoroughRefusal(fragment: String) async throws {
            try await withPage(fragment) { server, page, folder in
                let path = folder.path("a.mp4")
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30", "-t", "1", "-pix_fmt", "yuv420p",
                    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", path,
                ])
                let broadcast = try Broadcast(tracks: [.video], outputs: [server.output()])
                for packet in try RecordedStream.pictures(path, .hevc) { try await broadcast.send(packet) }
                var told = ""
                let isTold = try await eventually {
                    told = try await page.evaluate("document.querySelector('[role=status]').textContent")
                    return told.hasPrefix("This browser does not decode HEVC (hvc1.")
                }
                #expect(isTold && told.contains("let the sender encode H.264"), "\(told)")
                let shown: Int = try await page.evaluate("counts.shownPictures")
                #expect(shown == 0)
                await broadcast.finish()
            }
        }

        @Test(
            "keys reach each button in order, press it and show where they are; roles and names are told", .thorough())
        func thoroughKeyboard() async throws {
            try await withPage { _, page, _ in
                func press(_ key: String, _ code: Int, _ text: String = "") -> [BrowserPage.Step] {
                    let common = "\"key\": \"\(key)\", \"code\": \"\(key == " " ? "Space" : key)\""
                    let number = "\"windowsVirtualKeyCode\": \(code)"
                    return [
                        (
                            "Input.dispatchKeyEvent",
                            "{\"type\": \"keyDown\", \(common), \(number), \"text\": \"\(text)\"}"
                        ),
                        ("Input.dispatchKeyEvent", "{\"type\": \"keyUp\", \(common), \(number)}"),
                    ]
                }
                let state = try BrowserPage.evaluating(
                    """
                    (() => { const e = document.activeElement, s = getComputedStyle(e);
                      return [e.id || e.tagName, e.getAttribute("aria-pressed") || "", s.outlineStyle, s.outlineWidth]; })()
                    """)
                let tab = press("Tab", 9)
                let details = try BrowserPage.evaluating("[document.getElementById('details').open]")
                let (space, enter) = (press(" ", 32, " "), press("Enter", 13, "\\r"))
                let parts: [[BrowserPage.Step]] = [
                    tab, [state], space, [state], tab, [state], enter, [state], enter, [state], tab, [state], tab,
                    [state], enter, [details],
                ]
                let steps = parts.flatMap(\.self)
                let results = try await page.call(steps)
                let places = steps.indices.filter { steps[$0].method == "Runtime.evaluate" }
                let states = try places.dropLast().map { try BrowserPage.value(results[$0]) as [String] }
                #expect(
                    states.map { Array($0.prefix(2)) } == [
                        ["sound", "false"], ["sound", "true"], ["pause", "false"], ["pause", "true"],
                        ["pause", "false"], ["full", ""], ["SUMMARY", ""],
                    ])
                #expect(states.allSatisfy { $0[2] == "solid" && $0[3] == "3px" }, "\(states)")
                let isOpen: [Bool] = try BrowserPage.value(results[places[places.count - 1]])
                #expect(isOpen == [true])
                // What a screen reader is told.
                let tree = try await page.call([("Accessibility.getFullAXTree", "{}")])[0]
                for (role, name) in [
                    ("heading", "Live stream"), ("image", "The live picture"), ("button", "Sound"),
                    ("button", "Pause"), ("button", "Full screen"), ("rowheader", "Pictures received"),
                ] {
                    let isThere = tree.split(separator: "\"nodeId\"").contains {
                        $0.contains("\"value\": \"\(role)\"") && $0.contains("\"value\": \"\(name)\"")
                    }
                    #expect(isThere, "no \(role) \(name)")
                }
                #expect(tree.contains("\"value\": \"status\""))
            }
        }

        @Test("in light and in dark, all text stands out from its ground by 4.5 to 1 or more", .thorough())
        func thoroughColors() async throws {
            try await withPage { _, page, _ in
                let colors = try BrowserPage.evaluating(
                    """
                    (() => { document.getElementById("details").open = true; show(); press($("sound"), true);
                      const parts = text => text.match(/[\\d.]+/g).map(Number);
                      const light = text => parts(text).slice(0, 3).map(v => v / 255)
                        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                        .reduce((sum, v, place) => sum + v * [0.2126, 0.7152, 0.0722][place], 0);
                      const ground = e => { const c = getComputedStyle(e).backgroundColor;
                        return parts(c)[3] === 0 ? ground(e.parentElement) : c; };
                      return ["h1", "#status", "#sound", "#pause", "summary", "th", "td"].map(name => {
                        const e = document.querySelector(name);
                        const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
                        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })
                        .concat(light(ground(document.body))); })()
                    """)
                for (scheme, isDark) in [("light", false), ("dark", true)] {
                    let results = try await page.call([
                        (
                            "Emulation.setEmulatedMedia",
                            "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"\(scheme)\"}]}"
                        ), colors,
                    ])
                    let values: [Double] = try BrowserPage.value(results[1])
                    #expect(values.count == 8 && values.dropLast().allSatisfy { $0 >= 4.5 }, "\(scheme): \(values)")
                    #expect((values[7] < 0.1) == isDark && (values[7] > 0.8) != isDark, "\(scheme): \(values)")
                }
            }
        }
    }
#endif
