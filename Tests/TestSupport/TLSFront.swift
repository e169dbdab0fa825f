// SPDX-License-Identifier: MIT

import FoundationEssentials

/// What a server of TLS shows of itself; each is its own issuer, by the name of localhost unless it says otherwise.
public enum TestCertificate: String, CaseIterable, Sendable {
    /// Valid for decades.
    case good
    /// Was valid for a month of 2020.
    case expired
    /// Of another host.
    case otherName
    /// Like ``good``, for clients that are not told to trust it.
    case unknownIssuer

    /// Makes `key.pem` and `certificate.pem`.
    ///
    /// - Parameter folder: Where.
    /// - Throws: What openssl or the file system reports.
    public func make(in folder: TemporaryDirectory) async throws {
        let name = self == .otherName ? "elsewhere.example" : "localhost"
        let configuration = """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path("index.txt"))
            serial = \(folder.path("serial"))
            new_certs_dir = \(folder.path)
            default_md = sha256
            policy = names
            x509_extensions = extensions
            [names]
            commonName = supplied
            [extensions]
            subjectAltName = DNS:\(name)

            """
        try folder.write(Array(configuration.utf8), to: "ca.conf")
        try folder.write([], to: "index.txt")
        try folder.write(Array("01\n".utf8), to: "serial")
        let (key, request) = (folder.path("key.pem"), folder.path("request.pem"))
        try await ExternalProgram("openssl").run([
            "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=\(name)",
        ])
        try await ExternalProgram("openssl").run([
            "ca", "-batch", "-selfsign", "-notext", "-config", folder.path("ca.conf"), "-keyfile", key, "-in", request,
            "-out", folder.path("certificate.pem"), "-startdate", "20200101000000Z", "-enddate",
            self == .expired ? "20200201000000Z" : "20990101000000Z",
        ])
    }
}

/// A program that speaks TLS at a port of its own, and passes on what it hears to a server without.
public struct TLSFront: Sendable {
    /// Ends with the test.
    public let program: PeerProgram
    /// Where it listens.
    public let port: Int

    /// Starts stunnel with the certificate in a folder, as ``TestCertificate/make(in:)`` leaves it.
    ///
    /// - Parameters:
    ///   - serverPort: Of the server that it passes on to.
    ///   - folder: For its configuration and log.
    /// - Throws: ``ExternalProgramError`` when it cannot be started, or does not listen.
    public init(to serverPort: Int, in folder: TemporaryDirectory) async throws {
        port = freePort()
        let configuration = """
            foreground = yes
            pid =
            [front]
            accept = 127.0.0.1:\(port)
            connect = 127.0.0.1:\(serverPort)
            cert = \(folder.path("certificate.pem"))
            key = \(folder.path("key.pem"))

            """
        try folder.write(Array(configuration.utf8), to: "stunnel.conf")
        program = try PeerProgram("stunnel4", [folder.path("stunnel.conf")], log: folder.path("stunnel.log"))
        let isUp = await eventually { [port] in await acceptsConnections(port) }
        guard isUp else {
            throw ExternalProgramError(
                commandLine: "stunnel4", reason: "does not listen", standardError: program.output)
        }
    }
}

/// Whether somebody listens at a port of the loopback interface, as the system says: a server that takes one connection
/// keeps it for its client.
public func isListened(at port: Int) -> Bool {
    let table = (try? Data(contentsOf: URL(filePath: "/proc/net/tcp"))).map { String(decoding: $0, as: UTF8.self) }
    let digits = String(port, radix: 16, uppercase: true)
    let place = ":" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    // Local address, remote address and state, which is 0A for a listening socket.
    return table?.split(separator: "\n").contains { line in
        let fields = line.split(separator: " ")
        return fields.count > 3 && fields[1].hasSuffix(place) && fields[3] == "0A"
    } ?? false
}

/// Whether somebody takes connections at a port of the loopback interface.
public func acceptsConnections(_ port: Int) async -> Bool {
    let result = try? await ExternalProgram("bash").run(["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port)"])
    return result != nil
}
