// SPDX-License-Identifier: MIT

import CommandOptions
import TestSupport
import Testing

@testable import encbench

/// What README shows of `make bench`.
@Suite struct ReadmeSampleTests {
    private static let readme = (try? SourceFiles.page("../../README.md")) ?? ""

    /// The builds of libraries that README names and that are not here.
    private static func missingLibraries() async -> [Substring] {
        let line = readme.split(separator: "\n").first { $0.hasPrefix("This is what `make bench` ends with") } ?? ""
        let named = line.split(separator: "`").filter { $0.contains("x264 ") || $0.contains("x265 ") }
        let here = await VersionText.text().split(separator: "\n")
        return named.count == 2 ? named.filter { !here.contains($0) } : ["two libraries"]
    }

    @Test(
        "README's sample has the sentences and the numbers of the bundled clip", .thorough(),
        .enabled("SKIPPED, needs the libraries that README names") { await missingLibraries().isEmpty })
    func thoroughSample() async throws {
        let parts = Self.readme.split(separator: "```\n")
        let shown = try #require(parts.first { $0.hasPrefix("Answer\n") }).split(separator: "\n")
        let text = try await CommandLineTool.encbench.run(["--rounds", "0"]).text
        let said = Set(text.split(separator: "\n"))
        // Times, and what they advise, are another machine's.
        let lasting = shown.filter { !$0.hasPrefix("For that it took") && !$0.hasPrefix("Choose ") }
        #expect(lasting.count == shown.count - 2 && lasting.count > 18)
        for line in lasting { #expect(said.contains(line), "\(line)") }
    }
}
