// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The README shows a class that is built here.
@Suite struct ReadmeTests {
    @Test("the README has the class as it is built")
    func streamer() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let source = try String(
            contentsOf: package.appendingPathComponent("Sources/ReadmeClient/Streamer.swift"), encoding: .utf8)
        let readme = try String(
            contentsOf: package.deletingLastPathComponent().appendingPathComponent("README.md"), encoding: .utf8)
        let shown = try #require(source.range(of: "import VideoToolbox")).lowerBound
        #expect(readme.contains(source[shown...]))
    }
}
