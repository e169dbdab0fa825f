// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import MediaFiles

/// `encbench properties`.
struct PropertiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "properties", abstract: "Shows each setting of an encoder: what is legal, and when it may change.",
        discussion: """
            The names are those that `encode --set NAME=VALUE` takes. A hint is planned with and not kept; what is refused \
            ends with an error that names it.
            """)

    @Option(
        help: ArgumentHelp("Encoders to ask; default: all that are available.", valueName: "list"),
        transform: OptionParsing.encoders)
    var encoder: [EncoderKind] = []

    @Option(help: ArgumentHelp("Write the same as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    func run() async throws {
        var report = PropertiesReport()
        for kind in encoder.isEmpty ? EncoderKind.allCases : encoder {
            do throws(EncoderError) {
                for encoder in try await kind.makeBackend().encoders { report.add(encoder) }
            } catch {
                // Asked for by name, an encoder that is missing is a failure; otherwise it is only not there.
                guard encoder.isEmpty else { throw error }
            }
        }
        if json != "-" { try report.show() }
        if let json { try WholeFile.writeInPlace(try JSONDocument.bytes(report), to: json) }
    }
}
