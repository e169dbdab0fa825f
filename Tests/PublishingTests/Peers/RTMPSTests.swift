// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

/// nginx with stunnel in front of it.
@Suite(.requiresNginx, .requiresProgram("stunnel4", "openssl", .ffmpeg), .serialized) struct RTMPSTests {
    @Test(
        "only a certificate that is valid, of the server's name and of a known issuer will do",
        arguments: TestCertificate.allCases)
    func certificates(certificate: TestCertificate) async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            try await certificate.make(in: folder)
            let front = try await TLSFront(to: server.port, in: folder)
            var output = Output.address(try PublishAddress("rtmps://localhost:\(front.port)/mytv/room"))
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
            front.program.end()
        }
    }

    @Test("a certificate may be taken unseen, where that is asked for")
    func unverified() async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            try await TestCertificate.otherName.make(in: folder)
            let front = try await TLSFront(to: server.port, in: folder)
            var output = Output.address(try PublishAddress("rtmps://localhost:\(front.port)/mytv/room"))
            output.connection.verifiesCertificates = false
            let broadcast = try Broadcast(tracks: [.video], outputs: [output])
            #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
            await broadcast.finish(within: .seconds(2))
            front.program.end()
        }
    }
}
