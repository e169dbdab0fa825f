// SPDX-License-Identifier: MIT

#if WebSocket && !WebSocketTLS
    import NIOCore
    import Publishing

    /// Stands for what encrypts connections where swift-nio-ssl is not built: there is none.
    struct TLSContext: Sendable {
        /// - Throws: `PublishingError` with `.unsupported`, always.
        init(server files: ServerCertificate) throws(PublishingError) {
            throw Self.missing("a certificate, \"\(files.certificateFile)\",")
        }

        /// - Throws: `PublishingError` with `.unsupported`, always.
        init(client options: ConnectionOptions) throws(PublishingError) { throw Self.missing("wss://") }

        /// - Throws: `PublishingError` with `.unsupported`, always.
        static func check() throws(PublishingError) { throw missing("wss://") }

        private static func missing(_ what: String) -> PublishingError {
            PublishingError(
                .unsupported, reason: "\(what) needs TLS, which was not built; build with --traits WebSocketTLS")
        }

        func encrypt(_ channel: any Channel) throws {}

        func encrypt(_ channel: any Channel, to host: String) throws {}

        static func failure(_ error: any Error, _ what: String) -> PublishingError? { nil }
    }
#endif
