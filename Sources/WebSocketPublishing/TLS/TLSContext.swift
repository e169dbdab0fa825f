// SPDX-License-Identifier: MIT

#if WebSocketTLS
    import NIOCore
    import NIOSSL
    import Publishing

    /// What encrypts the connections of a server or of a client, by swift-nio-ssl, with errors that name what is wrong.
    struct TLSContext: Sendable {
        private let context: NIOSSLContext
        /// How long a peer may take to end TLS before its connection is closed without.
        private static let shutdownTime = TimeAmount.milliseconds(500)

        /// Passes: addresses of `wss://` can be used.
        static func check() throws(PublishingError) {}

        /// What a server shows.
        ///
        /// - Parameter files: Are read here.
        /// - Throws: `PublishingError` with `.invalidValue`, which names the file, or both where they do not fit.
        init(server files: ServerCertificate) throws(PublishingError) {
            let (certificate, key) = (files.certificateFile, files.keyFile)
            let chain = try Self.reading("certificates in \"\(certificate)\", expected a file in PEM that can be read")
            {
                try NIOSSLCertificate.fromPEMFile(certificate)
            }
            let reason = "a key in \"\(key)\", expected a file in PEM, without a passphrase, that can be read"
            let secret = try Self.reading(reason) { try NIOSSLPrivateKey(file: key, format: .pem) }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
            configuration.minimumTLSVersion = .tlsv12
            configuration.shutdownTimeout = Self.shutdownTime
            let mismatch =
                "the certificate in \"\(certificate)\" does not fit the key in \"\(key)\", expected one that was made "
                + "with that key"
            context = try Self.reading(mismatch) { try NIOSSLContext(configuration: configuration) }
        }

        /// What a client asks of servers.
        ///
        /// - Parameter options: Say whom it trusts.
        /// - Throws: `PublishingError` with `.invalidValue` for issuers that cannot be read.
        init(client options: ConnectionOptions) throws(PublishingError) {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.shutdownTimeout = Self.shutdownTime
            if !options.verifiesCertificates { configuration.certificateVerification = .none }
            if let file = options.certificateFile { configuration.trustRoots = .file(file) }
            let issuers = options.certificateFile.map { "\"\($0)\"" } ?? "the system's files"
            context = try Self.reading("certificates in \(issuers), expected some in PEM") {
                try NIOSSLContext(configuration: configuration)
            }
        }

        /// Encrypts a connection that a server took in; before any other handler is added.
        func encrypt(_ channel: any Channel) throws {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }

        /// Encrypts a connection to a server; before any other handler is added.
        func encrypt(_ channel: any Channel, to host: String) throws {
            // An address in numbers is looked for in the certificate by itself, and never told as a name.
            let name = IPAddress(host) == nil ? host : nil
            let handler = try NIOSSLClientHandler(context: context, serverHostname: name)
            try channel.pipeline.syncOperations.addHandler(handler)
        }

        private static func reading<Value>(
            _ reason: String, _ body: () throws -> Value
        ) throws(PublishingError) -> Value {
            do {
                return try body()
            } catch {
                throw PublishingError(.invalidValue, reason: reason)
            }
        }

        /// What a failure of TLS is to an output; nil for another failure.
        static func failure(_ error: any Error, _ what: String) -> PublishingError? {
            if error is NIOSSLExtraError {
                return PublishingError(
                    .certificateRejected, reason: "\(what): the server's certificate is of another name")
            }
            guard let error = error as? NIOSSLError else { return nil }
            guard case .handshakeFailed = error else {
                return PublishingError(.closedByPeer, reason: "\(what): the server ended the connection")
            }
            let words = "\(error)"
            if words.contains("CERTIFICATE_VERIFY_FAILED") {
                return PublishingError(
                    .certificateRejected,
                    reason: "\(what): the server's certificate is not valid, or of no known issuer")
            }
            if words.contains("EOF") {
                return PublishingError(.closedByPeer, reason: "\(what): the server ended the connection")
            }
            return PublishingError(.unsupported, reason: "\(what): no server of TLS 1.2 or later")
        }
    }
#endif
