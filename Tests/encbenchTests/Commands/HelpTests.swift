// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct HelpTests {
    /// Options that a command cannot do without.
    private static let required = ["encode": ["--output"], "run-point": ["--index", "--out"]]

    /// What help says of an option.
    private static func help(_ option: String, of command: any ParsableCommand.Type) -> Substring {
        let text = Encbench.helpMessage(for: command, columns: 2000)
        guard let name = text.firstRange(of: "  " + option + " <") else { return "" }
        return text[name.upperBound...].prefix { $0 != "\n" }
    }

    @Test("numbers that the parser itself reads, or that a command takes fewer of, have their ranges in help")
    func ranges() {
        let seeds = "0 to 18446744073709551615"
        #expect(Self.help("--seed", of: CompareCommand.self).contains(seeds))
        #expect(Self.help("--seed", of: OverheadCommand.self).contains(seeds))
        #expect(Self.help("--sample-seed", of: TargetCommand.self).contains(seeds))
        #expect(Self.help("--index", of: RunPointCommand.self).contains("0 to 1000000000"))
        let frames = Self.help("--frames", of: LadderCommand.self)
        #expect(frames.contains("in ladder \(LadderReport.fewestFrames) or more"), "\(frames)")
    }

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
