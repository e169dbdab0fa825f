// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

/// nginx with stunnel in front of it.
@Suite(.requiresNginx, .requiresProgram("stunnel4", "openssl", .ffmpeg), .serialized) struct RTMPSTests {
    /// What a server shows of itself.
    enum Certificate: String, CaseIterable {
        case good
        case expired
        case otherName
        case unknownIssuer
    }

    /// Makes a certificate that is its own issuer.
    private func make(_ certificate: Certificate, in folder: TemporaryDirectory) async throws {
        let name = certificate == .otherName ? "elsewhere.example" : "localhost"
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
            certificate == .expired ? "20200201000000Z" : "20990101000000Z",
        ])
    }

    private func startTLS(_ server: NginxServer, in folder: TemporaryDirectory) async throws -> (PeerProgram, Int) {
        let port = freePort()
        let configuration = """
            foreground = yes
            pid =
            [rtmps]
            accept = 127.0.0.1:\(port)
            connect = 127.0.0.1:\(server.port)
            cert = \(folder.path("certificate.pem"))
            key = \(folder.path("key.pem"))

            """
        try folder.write(Array(configuration.utf8), to: "stunnel.conf")
        let program = try PeerProgram("stunnel4", [folder.path("stunnel.conf")], log: folder.path("stunnel.log"))
        let isUp = await eventually { await NginxServer.accepts(port) }
        try #require(isUp, "\(program.output)")
        return (program, port)
    }

    @Test(
        "only a certificate that is valid, of the server's name and of a known issuer will do",
        arguments: Certificate.allCases)
    func certificates(certificate: Certificate) async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            try await make(certificate, in: folder)
            let (program, port) = try await startTLS(server, in: folder)
            var output = Output.address(try PublishAddress("rtmps://localhost:\(port)/mytv/room"))
            if certificate != .unknownIssuer { output.connection.certificateFile = folder.path("certificate.pem") }
            let broadcast = try Broadcast(tracks: [.video], outputs: [output])
            let isDecided = await eventually {
                broadcast.statistics.values.allSatisfy { $0.state == .publishing || $0.lastError != nil }
            }
            #expect(isDecided)
            let statistics = try #require(broadcast.statistics.values.first)
            if certificate == .good {
                #expect(statistics.state == .publishing && statistics.lastError == nil, "\(statistics)")
            } else {
                #expect(statistics.lastError?.code == .certificateRejected, "\(statistics)")
                #expect(statistics.state.isFinal)
            }
            await broadcast.finish(within: .seconds(2))
            program.end()
        }
    }

    @Test("a certificate may be taken unseen, where that is asked for")
    func unverified() async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            try await make(.otherName, in: folder)
            let (program, port) = try await startTLS(server, in: folder)
            var output = Output.address(try PublishAddress("rtmps://localhost:\(port)/mytv/room"))
            output.connection.verifiesCertificates = false
            let broadcast = try Broadcast(tracks: [.video], outputs: [output])
            #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
            await broadcast.finish(within: .seconds(2))
            program.end()
        }
    }
}
