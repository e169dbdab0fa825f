// SPDX-License-Identifier: MIT

/// What a server shows of itself over TLS, in files.
public struct ServerCertificate: Sendable, Hashable {
    /// The path of its certificate in PEM, and behind it of those by which it was issued.
    public var certificateFile: String
    /// The path of the certificate's key in PEM, without a passphrase.
    public var keyFile: String

    /// Names the files; they are read when the server is made.
    ///
    /// - Parameters:
    ///   - certificateFile: The path of its certificate in PEM, and behind it of those by which it was issued.
    ///   - keyFile: The path of the certificate's key in PEM, without a passphrase.
    public init(certificateFile: String, keyFile: String) {
        (self.certificateFile, self.keyFile) = (certificateFile, keyFile)
    }
}
