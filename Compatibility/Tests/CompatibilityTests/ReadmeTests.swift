// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The README shows a class that is built here, and what it prints.
@Suite struct ReadmeTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The README's section about classes from iOS, without the blank line before the next one.
    private func section() throws -> Substring {
        let readme = try String(
            contentsOf: Self.package.deletingLastPathComponent().appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(readme.range(of: "## Encoder classes from iOS\n"))
        let end = try #require(readme.range(of: "\n\n## ", range: start.upperBound..<readme.endIndex))
        return readme[start.lowerBound..<end.lowerBound]
    }

    @Test("the README has the class as it is built, and needs 25 lines for all")
    func streamer() throws {
        let source = try String(
            contentsOf: Self.package.appendingPathComponent("Sources/ReadmeClient/Streamer.swift"), encoding: .utf8)
        let shown = try #require(source.range(of: "import VideoToolbox")).lowerBound
        let section = try section()
        #expect(section.contains(source[shown...]))
        #expect(section.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    }

    @Test("the class prints what the README says, but for sizes, which are the library's")
    func output() throws {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("ReadmeClient")
        let process = Process()
        let output = Pipe()
        (process.executableURL, process.standardOutput) = (program, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = #/([0-9.]+ 0) [1-9][0-9]* bytes/#
        let printed = text.matches(of: line).map { $0.output.1 }
        #expect(printed == ["0.0 0", "0.25 0", "0.5 0"])
        #expect(try section().matches(of: line).map { $0.output.1 } == printed)
    }
}
