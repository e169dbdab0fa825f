// SPDX-License-Identifier: MIT

/// Scheme, host and port of a page (RFC 6454); host and port alone are what the header `Host` has.
struct Origin: Sendable, Hashable {
    let isSecure: Bool
    /// In small letters, an IPv6 address without its brackets.
    let host: String
    let port: Int

    /// Reads an origin such as `https://example.com:8443`; nil for anything else, `null` included.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { return nil }
        self.init(isSecure: isSecure, authority: text.dropFirst(isSecure ? 8 : 7))
    }

    /// Reads what `Host` has: a name or an IP address, and perhaps a port.
    ///
    /// - Parameters:
    ///   - isSecure: Whether it is reached over TLS, whose port is 443 where none is given, and else 80.
    ///   - authority: The text.
    init?(isSecure: Bool, authority: some StringProtocol) {
        var (host, port) = (authority.lowercased()[...], Substring())
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            port = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            guard IPAddress(host) != nil, port.isEmpty || port.first == ":" else { return nil }
            port = port.dropFirst()
        } else if let colon = host.lastIndex(of: ":") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
            guard !host.contains(":"), !port.isEmpty else { return nil }
        }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost), port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        guard let number = port.isEmpty ? (isSecure ? 443 : 80) : Int(port), (1...65_535).contains(number) else {
            return nil
        }
        (self.isSecure, self.host, self.port) = (isSecure, String(host), number)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: true
        default: "-._:".utf8.contains(byte)
        }
    }
}
