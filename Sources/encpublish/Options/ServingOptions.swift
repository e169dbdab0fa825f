// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions

/// How the stream is shown to browsers.
struct ServingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show the stream to browsers, at http://127.0.0.1:PORT/ unless more is said, 1 to 65535, for as long as the program runs; default: none.",
            valueName: "port"),
        transform: { try OptionParsing.integer($0, in: 1...65_535) })
    var serve: Int?

    @Option(
        help: ArgumentHelp(
            "The address to serve at, 0.0.0.0 or :: for all of this machine; beyond this machine it needs --serve-token. Default: 127.0.0.1.",
            valueName: "address"))
    var serveHost: String?

    @Option(
        help: ArgumentHelp(
            "A name that the machine may be called by in the address of a page, besides localhost and its IP addresses. May be given several times; default: none.",
            valueName: "name"))
    var serveName: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file with 16 to 128 letters, digits and any of - . _ ~ that viewers show, as http://HOST:PORT/#token=WORD; default: none.",
            valueName: "file"))
    var serveToken: String?

    @Option(
        help: ArgumentHelp(
            "Serve over TLS with the certificate of this PEM file, and those it was issued by behind it: browsers on other machines have WebCodecs for such a page alone. Default: none.",
            valueName: "file"))
    var serveCertificate: String?

    @Option(
        help: ArgumentHelp("The PEM file with the key of --serve-certificate; default: none.", valueName: "file"))
    var serveKey: String?

    func validate() throws {
        if let first = given.first, serve == nil { throw ValidationError("\(first) without --serve; give a port") }
        if (serveCertificate == nil) != (serveKey == nil) {
            throw ValidationError("--serve-certificate and --serve-key belong together; give both")
        }
    }

    /// The names of those that were given, but for `--serve`.
    private var given: [String] {
        OptionParsing.given([
            "--serve-host": serveHost != nil, "--serve-name": !serveName.isEmpty,
            "--serve-token": serveToken != nil, "--serve-certificate": serveCertificate != nil,
            "--serve-key": serveKey != nil,
        ])
    }

    /// The output they ask for; nil where none is asked for.
    ///
    /// - Throws: ``OptionError`` for a place that cannot be served at, and where the program cannot serve.
    var output: PlannedOutput? {
        get throws(OptionError) {
            guard let serve else { return nil }
            var place = ViewerPlace(port: serve)
            place.host = serveHost ?? place.host
            (place.names, place.tokenFile) = (serveName, serveToken)
            (place.certificateFile, place.keyFile) = (serveCertificate, serveKey)
            try WebSocketOutputs.check(place)
            return PlannedOutput(.viewers(place))
        }
    }
}

/// Where a page is, and who may see it.
struct ViewerPlace: Equatable, Sendable {
    /// The address to listen at.
    var host = "127.0.0.1"
    var port: Int
    /// Names of the machine besides its addresses.
    var names: [String] = []
    /// The file with what viewers show; nil where they show nothing.
    var tokenFile: String?
    /// The files for TLS; nil where nothing is encrypted.
    var certificateFile: String?
    var keyFile: String?

    /// Serves at a port of 127.0.0.1.
    init(port: Int) { self.port = port }
}

extension ViewerPlace: CustomStringConvertible {
    /// The address of the page, without its token.
    var description: String {
        let host = names.first ?? (host.contains(":") ? "[\(host)]" : host)
        return "\(certificateFile == nil ? "http" : "https")://\(host):\(port)/"
    }
}
