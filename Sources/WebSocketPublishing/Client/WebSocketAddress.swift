// SPDX-License-Identifier: MIT

public import Publishing

/// Where a server of WebSocket is: an address such as `ws://host:8080/publish?token=...`.
///
/// What it is printed as shows scheme, host and port, and nothing of what stands behind them.
public struct WebSocketAddress: Sendable, Hashable {
    /// Whether all goes over TLS, as `wss://` says.
    public let isSecure: Bool
    /// A name or an IP address, without brackets.
    public let host: String
    /// The port, 1...65535; 80 where the address names none, with TLS 443.
    public let port: Int
    /// Path and query, as they are sent.
    let target: String

    /// Reads an address.
    ///
    /// - Parameter text: `ws://` or `wss://`, a host, and perhaps a port, a path and a query, in printable ASCII
    ///   without spaces. A token is given in the query, or beside the address.
    /// - Throws: `PublishingError` with `.invalidAddress`, which says what is wrong and nothing of the rest.
    public init(_ text: String) throws(PublishingError) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.refused("an address with a space or a character that is not ASCII, expected them as %20")
        }
        guard let end = text.firstRange(of: "://"), Self.isScheme(text[..<end.lowerBound]) else {
            throw Self.refused("an address that begins with no scheme of WebSocket, expected ws:// or wss://")
        }
        let scheme = text[..<end.lowerBound].lowercased()
        isSecure = scheme == "wss"
        let rest = text[end.upperBound...]
        let place = rest.prefix { !"/?#".contains($0) }
        let beyond = rest.dropFirst(place.count)
        guard !place.contains("@") else {
            throw Self.refused("an address with a user's name, expected a token, as ?token=...")
        }
        guard !beyond.contains("#") else {
            throw Self.refused("an address with \"#\", behind which no server is told anything, expected it as %23")
        }
        (host, port) = try PublishAddress.hostAndPort(place, scheme: scheme, defaultPort: isSecure ? 443 : 80)
        target = beyond.hasPrefix("/") ? String(beyond) : "/" + beyond
    }

    /// Whether a text names WebSocket before "://".
    package static func isScheme(_ text: some StringProtocol) -> Bool { ["ws", "wss"].contains(text.lowercased()) }

    /// Host and port as the header `Host` has them.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    private static func refused(_ reason: String) -> PublishingError {
        PublishingError(.invalidAddress, reason: reason)
    }
}

extension WebSocketAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address up to its port, such as `ws://host:8080/…`.
    public var description: String { "\(isSecure ? "wss" : "ws")://\(authority)/\(target == "/" ? "" : "…")" }

    /// The same.
    public var debugDescription: String { description }

    /// The same, so that nothing prints the rest.
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
