// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import MediaFiles

/// `encbench probe`.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Shows the encoders and devices found, what they can do, and what is missing.")

    @Option(help: ArgumentHelp("Write the same as JSON; - for standard output.", valueName: "file"))
    var json: String?

    func run() async throws {
        let report = await ProbeReport.current()
        if json != "-" { try MediaOutput.write(Array(report.text.utf8), to: "-") }
        if let json { try MediaOutput.write(try JSONDocument.bytes(report), to: json) }
    }
}
