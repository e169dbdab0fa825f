// SPDX-License-Identifier: MIT

public import Publishing

/// The secret that viewers and publishers show: it is printed as "…", and compared in a time that says nothing of it.
public struct AccessToken: Sendable {
    /// How many characters a token has.
    public static let lengths = 16...128

    private let bytes: [UInt8]

    /// Takes a token.
    ///
    /// - Parameter text: 16 to 128 letters, digits, `-`, `.`, `_` and `~`, which addresses take as they are.
    /// - Throws: `PublishingError` with `.invalidValue`, which shows nothing of the text.
    public init(_ text: String) throws(PublishingError) {
        let bytes = Array(text.utf8)
        guard Self.lengths.contains(bytes.count) else {
            throw PublishingError(
                .invalidValue, reason: "a token of \(bytes.count) characters, expected \(Self.lengths)")
        }
        guard bytes.allSatisfy(Self.isUnreserved) else {
            throw PublishingError(
                .invalidValue,
                reason: "a token with other characters than letters, digits, \"-\", \".\", \"_\" and \"~\"")
        }
        self.bytes = bytes
    }

    /// Makes a token of 128 random bits.
    ///
    /// - Returns: A token that nobody has.
    public static func random() -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef".utf8)
        return AccessToken(bytes: (0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The token itself, to be handed to who may have it.
    public var secret: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a text is the token; the time that takes depends on the text's length alone.
    ///
    /// - Parameter text: What somebody sent.
    /// - Returns: Whether all characters are the same.
    public func matches(_ text: some StringProtocol) -> Bool {
        let other = Array(text.utf8)
        var difference = UInt8(other.count == bytes.count ? 0 : 1)
        for (index, byte) in other.enumerated() { difference |= byte ^ bytes[index % bytes.count] }
        return difference == 0
    }

    /// Unreserved characters of addresses (RFC 3986, 2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "…".
    public var description: String { "…" }
    /// "…".
    public var debugDescription: String { "…" }
    /// Nothing of it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
