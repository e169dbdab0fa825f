// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import Publishing

/// How connections are made.
struct ConnectionChoices: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Connections in a row that may fail before an output does, 1 to 1000000; default: no limit.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 1...1_000_000) })
    var tries: Int?

    @Option(
        help: ArgumentHelp(
            "A PEM file of issuers that servers of rtmps:// may have certificates from; default: the system's.",
            valueName: "file"))
    var certificates: String?

    @Flag(help: "Take any certificate of a server of rtmps://: whoever is between reads the key.")
    var insecure = false

    func validate() throws {
        if insecure, certificates != nil {
            throw ValidationError("--insecure and --certificates exclude each other; give one of them")
        }
    }

    /// Puts the choices into an output that connects; others have no use for them.
    func apply(to output: inout Output) {
        output.connection.verifiesCertificates = !insecure
        output.connection.certificateFile = certificates
        output.retries.maximumFailures = tries
    }
}
