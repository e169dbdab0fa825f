// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct HelpTests {
    /// Options that a command cannot do without.
    private static let required = ["encode": ["--output"], "run-point": ["--index", "--out"]]

    @Test(
        "each option with a value states its default",
        arguments: Encbench.configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap {
            $0.configuration.commandName
        })
    func defaults(command: String) throws {
        let type = try #require(
            Encbench.configuration.subcommands.first { $0.configuration.commandName == command })
        let text = Encbench.helpMessage(for: type, columns: 2000)
        let lines = text.split(separator: "\n").map(String.init)
        let options = lines.indices.filter { lines[$0].hasPrefix("  -") && lines[$0].contains(" <") }
        for place in options {
            // A long name has its description on the next line.
            let description =
                lines[place].count < 27 || !lines[place].contains(">  ")
                ? lines[place] + lines[place + 1] : lines[place]
            let words = lines[place].split { $0 == " " || $0 == "," }.map(String.init)
            if Self.required[command]?.contains(where: words.contains) == true { continue }
            #expect(description.contains("efault"), "\(command): \(description)")
        }
        #expect(!options.isEmpty || command == "inspect", "\(text)")
    }
}
