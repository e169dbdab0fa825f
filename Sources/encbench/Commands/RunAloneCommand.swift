// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Logging
import MediaFiles

/// `encbench run-alone`, which commands that take times start as a process of its own for each encode.
struct RunAloneCommand: AsyncParsableCommand {
    static let name = processArgument
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Encodes one point of a plan and writes what came of it as JSON.",
        shouldDisplay: false)

    @Argument(help: "The kind of run.")
    var kind: String

    @Argument(help: ArgumentHelp("How it is to be run.", valueName: "json"))
    var properties: String

    @Argument(help: ArgumentHelp("The point as a plan has it.", valueName: "json"))
    var point: String

    @Argument(help: ArgumentHelp("What is known of its decoded clip; default: nothing.", valueName: "json"))
    var sharing: String?

    func run() async throws {
        guard let type = RunKinds.all.first(where: { $0.name == kind }) else {
            let names = RunKinds.all.map { $0.name }.joined(separator: ", ")
            throw CommandFailure("no kind of run '\(kind)', expected one of \(names)")
        }
        let context = RunContext(logger: StandardErrorLog.logger(isVerbose: false))
        try Interruption.whenRaised { context.interruption.signal() }
        guard let answer = try await type.answer(properties, point, sharing: sharing, in: context) else {
            throw ExitCode(Interruption.exitCode)
        }
        try WholeFile.writeInPlace(answer, to: "-")
    }
}
