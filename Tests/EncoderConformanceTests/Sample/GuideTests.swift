// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct GuideTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test(
        "the guide shows the back end and the test that are compiled here",
        arguments: ["PCMBackend", "PCMConformanceTests"])
    func guide(name: String) throws {
        let guide = try String(
            contentsOf: folder.appending(
                path: "../../../Sources/EncoderAPI/EncoderAPI.docc/ImplementingABackend.md"
            ).standardizedFileURL, encoding: .utf8)
        let source = try String(contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
        // The licence's line is left out, and so is what only this project's tests need.
        let shown = source.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
        let expected =
            shown
            .replacing(", .requiresProgram(.ffmpeg)", with: "").replacing("import TestSupport\n", with: "")
        #expect(expected.count > 500)
        #expect(guide.contains("```swift\n\(expected)```\n"))
    }
}
