// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions

/// The root command.
@main struct Encbench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encbench", abstract: "Encodes video to H.264 and HEVC, and compares the encoders honestly.",
        discussion: """
            Without a subcommand it compares x264 and x265 on the clip that comes with it.

            Ends with status 0, with 64 for options or values that cannot be used, 130 after Ctrl-C (143 after SIGTERM), \
            and 1 for any other failure, a clip or curve that fails among others included; what was encoded before is in \
            the report, and where --store is given, in the store.
            """, version: "encbench \(VersionText.package)",
        subcommands: [
            CompareCommand.self,
            EncodeCommand.self,
            InspectCommand.self,
            KeyFramesCommand.self,
            LadderCommand.self,
            MeasureCommand.self,
            MergeCommand.self,
            OverheadCommand.self,
            PlanCommand.self,
            ProbeCommand.self,
            PropertiesCommand.self,
            RateCommand.self,
            RealTimeCommand.self,
            RunAloneCommand.self,
            RunPointCommand.self,
            SubmitCommand.self,
            TargetCommand.self,
            VerifyCommand.self,
        ],
        defaultSubcommand: CompareCommand.self)

    /// Parses the command line, runs the command and ends the process.
    static func main() async {
        Allocator.shareOneArena()
        // The parser's own answer could not ask the libraries without doing so at every start.
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            print(await VersionText.text(), terminator: "")
            return
        }
        await Program.encbench.run()
    }
}
