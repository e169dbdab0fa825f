// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import BenchReports
@testable import EncoderBench
@testable import encbench

@Suite struct PageCommandTests {
    private func images(_ html: String) -> Int { html.matches(of: #/<img src="data:image/png;base64,/#).count }

    @Test("compare writes a page with pictures of both encodes, and the command that was given", .inTurn())
    func compare() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 4, width: 96, height: 80), to: "in put.y4m")
            let page = folder.path("page.html")
            let arguments = ["compare", input, "--preset", "ultrafast", "--qp", "20,26,32,38", "--html", page]
            try await CommandLineTool.encbench.run(arguments)
            let html = String(decoding: try folder.read("page.html"), as: UTF8.self)
            #expect(
                images(html) == 10 && html.contains("Side by side at about equal bit rate")
                    && html.contains("quantizer")
            )
            #expect(
                html.contains(HTML.escaped("encbench compare '\(input)' --preset ultrafast --qp 20,26,32,38 --html")))
            #expect(html.contains("Frame 2, of median quality.") || html.contains("of median quality."))
        }
    }

    @Test("merge shows pictures as long as the clip is there, and says so when it is not", arguments: [true, false])
    func merge(isThere: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let store = folder.path("store")
            try await CommandLineTool.encbench.run([
                "plan", input, "--preset", "ultrafast", "--qp", "20,26,32,38", "--out", store,
            ])
            try await CommandLineTool.encbench.run(
                ["run-point", "--out", store, "--index"] + (0..<10).map(String.init))
            if !isThere { try await ExternalProgram("rm").run([input]) }
            let output = try await CommandLineTool.encbench.run(["merge", store, "--html", "-"])
            #expect(output.text.hasPrefix("<!DOCTYPE html>"))
            #expect(images(output.text) == (isThere ? 10 : 0))
            #expect(output.text.contains("No pictures: the clip cannot be read any more") == !isThere)
        }
    }

    @Test("measure shows the files' own pictures")
    func measure() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 4), to: "in.y4m")
            var files: [String] = []
            for (name, encoder) in [("a", "x264"), ("b", "x265")] {
                for quantizer in [20, 26, 32, 38] {
                    let file = folder.path("\(name)\(quantizer).mkv")
                    try await CommandLineTool.encbench.run([
                        "encode", input, "-o", file, "--encoder", encoder, "--preset", "ultrafast", "--qp",
                        "\(quantizer)",
                    ])
                    files.append("\(name)=\(file)")
                }
            }
            let output = try await CommandLineTool.encbench.run(["measure", input] + files + ["--html", "-"])
            #expect(images(output.text) == 10 && output.text.contains("<h1>b against a</h1>"))
        }
    }
}
