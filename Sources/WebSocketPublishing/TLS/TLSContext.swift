// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import NIOSSL
    import Publishing

    /// Makes what swift-nio-ssl needs for either side, with errors that name what is wrong.
    enum TLSContext {
        /// How long a peer may take to end TLS before its connection is closed without.
        private static let shutdownTime = TimeAmount.milliseconds(500)

        /// What a server shows.
        ///
        /// - Parameter files: Are read here.
        /// - Returns: What connections are made with.
        /// - Throws: `PublishingError` with `.invalidValue`, which names the file, or both where they do not fit.
        static func server(_ files: ServerCertificate) throws(PublishingError) -> NIOSSLContext {
            let (certificate, key) = (files.certificateFile, files.keyFile)
            let chain = try reading("certificates in \"\(certificate)\", expected a file in PEM that can be read") {
                try NIOSSLCertificate.fromPEMFile(certificate)
            }
            let reason = "a key in \"\(key)\", expected a file in PEM, without a passphrase, that can be read"
            let secret = try reading(reason) { try NIOSSLPrivateKey(file: key, format: .pem) }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
            configuration.minimumTLSVersion = .tlsv12
            configuration.shutdownTimeout = shutdownTime
            let mismatch =
                "the certificate in \"\(certificate)\" does not fit the key in \"\(key)\", expected one that was made "
                + "with that key"
            return try reading(mismatch) { try NIOSSLContext(configuration: configuration) }
        }

        /// What a client asks of servers.
        ///
        /// - Parameter options: Say whom it trusts.
        /// - Returns: What connections are made with.
        /// - Throws: `PublishingError` with `.invalidValue` for issuers that cannot be read.
        static func client(_ options: ConnectionOptions) throws(PublishingError) -> NIOSSLContext {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.shutdownTimeout = shutdownTime
            if !options.verifiesCertificates { configuration.certificateVerification = .none }
            if let file = options.certificateFile { configuration.trustRoots = .file(file) }
            let issuers = options.certificateFile.map { "\"\($0)\"" } ?? "the system's files"
            return try reading("certificates in \(issuers), expected some in PEM") {
                try NIOSSLContext(configuration: configuration)
            }
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
