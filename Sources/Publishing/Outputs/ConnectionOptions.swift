// SPDX-License-Identifier: MIT

import Glibc
import MediaIO

/// How a connection of an output is made, and how long it may take.
public struct ConnectionOptions: Sendable, Hashable {
    /// How long connecting may take, handshakes included, above 0 to an hour; 5 s by default.
    public var connectTimeout: Duration = .seconds(5)
    /// How long the peer may take nothing before the connection is given up, above 0 to an hour; 5 s by default.
    ///
    /// One packet may take twelve times as long, as long as the peer goes on taking some of its bytes.
    public var writeTimeout: Duration = .seconds(5)
    /// How long closing may take, above 0 to an hour; 1 s by default.
    public var closeTimeout: Duration = .seconds(1)
    /// What the system buffers for sending, in bytes, 4096 to 2^30; 65,536 by default.
    ///
    /// Half a second of the stream is enough. What lies there is sent late and cannot be left out any more; too little
    /// caps a fast link of a long delay. SRT keeps what it may have to send again in a buffer of its own: another value
    /// than the default is refused for it.
    public var sendBufferSize = 65_536
    /// Whether the certificate of a server of RTMPS or `wss://` must be valid and of its name; true by default.
    public var verifiesCertificates = true
    /// A file of certificates, in PEM, of issuers to trust, which must be readable; nil for the system's.
    public var certificateFile: String?
    /// The passphrase of SRT, 10 to 79 characters; nil for what the address says, or none.
    public var passphrase: String?
    /// Bytes that a passphrase of SRT may have.
    static let passphraseLengths = 10...79

    /// The defaults.
    public init() {}

    /// - Parameter scheme: Of the address; nil for one of another library's connections.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a value out of its range, `.unsupported` for one that the
    ///   scheme does not have.
    func check(_ scheme: PublishAddress.Scheme?) throws(PublishingError) {
        for (name, time) in [("connect", connectTimeout), ("write", writeTimeout), ("close", closeTimeout)]
        where time <= .zero || time > .seconds(3600) {
            throw PublishingError(.invalidValue, reason: "\(name) timeout \(time), expected above 0, 3600 s at most")
        }
        guard (4096...1 << 30).contains(sendBufferSize) else {
            throw PublishingError(
                .invalidValue, reason: "send buffer of \(sendBufferSize) bytes, expected 4096...\(1 << 30)")
        }
        guard scheme != .srt || sendBufferSize == Self().sendBufferSize else {
            throw PublishingError(
                .unsupported,
                reason: "a send buffer of \(sendBufferSize) bytes for SRT, expected the default, "
                    + "\(Self().sendBufferSize), or sndbuf in the address")
        }
        if let certificateFile {
            guard !certificateFile.isEmpty, !certificateFile.contains("\0"),
                access(certificateFile.fileName, R_OK) == 0
            else {
                throw PublishingError(
                    .invalidValue,
                    reason: "certificates in \"\(certificateFile.shown)\", expected a file that can be read")
            }
        }
        if let passphrase {
            guard scheme == .srt else {
                throw PublishingError(
                    .unsupported, reason: "a passphrase for \(scheme?.rawValue ?? "WebSocket"), expected SRT")
            }
            let (count, legal) = (passphrase.utf8.count, Self.passphraseLengths)
            guard legal.contains(count) else {
                throw PublishingError(
                    .invalidValue, reason: "a passphrase of \(count) characters, expected \(legal)")
            }
        }
    }
}

extension ConnectionOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// All options; of a passphrase, that there is one.
    public var description: String { "\(Self.self)(\(shown.map { "\($0.0): \($0.1)" }.joined(separator: ", ")))" }

    /// The same.
    public var debugDescription: String { description }

    /// The same, so that nothing prints the passphrase.
    public var customMirror: Mirror { Mirror(self, children: shown.map { (label: $0.0, value: $0.1 as Any) }) }

    private var shown: [(String, String)] {
        [
            ("connectTimeout", "\(connectTimeout)"), ("writeTimeout", "\(writeTimeout)"),
            ("closeTimeout", "\(closeTimeout)"), ("sendBufferSize", "\(sendBufferSize)"),
            ("verifiesCertificates", "\(verifiesCertificates)"), ("certificateFile", certificateFile ?? "nil"),
            ("passphrase", passphrase == nil ? "nil" : "…"),
        ]
    }
}
