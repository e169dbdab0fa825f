// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import Publishing

/// How connections are made.
struct ConnectionChoices: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Connections to a server in a row that may fail before its output does, 1 to 1000000; a refusal for good ends it at once, and so does the third connection in a row that a server of RTMP ends without a word, at the same step behind the handshake; default: no limit.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 1...1_000_000) })
    var tries: Int?

    @Option(
        help: ArgumentHelp(
            "A PEM file of issuers that servers of rtmps:// and wss:// may have certificates from; default: the system's.",
            valueName: "file"))
    var certificates: String?

    @Flag(help: "Take any certificate of a server of rtmps:// or wss://: whoever is between reads the key.")
    var insecure = false

    @Flag(
        help: ArgumentHelp(
            "Let the mean bit rate of encodings for servers follow what the slowest server takes, down and up again; the rate that was asked for is the highest. Files of the same encoding get what servers get; --encoding gives them one of their own."
        ))
    var adapt = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The lowest mean bit rate with --adapt, 1k to 1G; default: a tenth of the one that was asked for.",
            valueName: "bit/s"),
        transform: OptionParsing.bitRate)
    var adaptFloor: Int?

    func validate() throws {
        if adaptFloor != nil, !adapt { throw ValidationError("--adapt-floor is for --adapt; give that too") }
        if insecure, certificates != nil {
            throw ValidationError("--insecure and --certificates exclude each other; give one of them")
        }
    }

    /// The names of options for any server that were given.
    var given: [String] { tries == nil ? [] : ["--tries"] }

    /// The names of options for servers with certificates that were given.
    var givenForCertificates: [String] {
        OptionParsing.given(["--certificates": certificates != nil, "--insecure": insecure])
    }

    /// Puts the choices into an output that connects; others have no use for them.
    func apply(to output: inout Output) {
        output.connection.verifiesCertificates = !insecure
        output.connection.certificateFile = certificates
        output.retries.maximumFailures = tries
    }
}
