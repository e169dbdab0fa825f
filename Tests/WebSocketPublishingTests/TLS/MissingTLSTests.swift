// SPDX-License-Identifier: MIT

import Testing

extension Trait where Self == ConditionTrait {
    /// Needs a build with the trait `WebSocketTLS`.
    static var requiresTLS: Self {
        #if WebSocketTLS
            .enabled(if: true)
        #else
            .disabled("TLS is not built; build with --traits WebSocketTLS")
        #endif
    }
}

#if WebSocket && !WebSocketTLS
    import Publishing

    @testable import WebSocketPublishing

    @Suite struct MissingTLSTests {
        @Test("without TLS in the build a certificate and wss:// are refused, by what the build lacks")
        func refusals() throws {
            var configuration = WebSocketServer.Configuration()
            configuration.certificate = ServerCertificate(certificateFile: "a.pem", keyFile: "b.pem")
            var error = #expect(throws: PublishingError.self) { try WebSocketServer(configuration) }
            #expect(error?.code == .unsupported && error?.reason.contains("\"a.pem\"") == true)
            #expect(error?.reason.contains("--traits WebSocketTLS") == true, "\(String(describing: error))")
            error = #expect(throws: PublishingError.self) {
                try Output.webSocket(try WebSocketAddress("wss://host/path"))
            }
            #expect(error?.code == .unsupported && error?.reason.contains("--traits WebSocketTLS") == true)
            _ = try Output.webSocket(try WebSocketAddress("ws://host/path"))
        }
    }
#endif
