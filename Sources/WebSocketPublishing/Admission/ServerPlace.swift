// SPDX-License-Identifier: MIT

import Publishing

/// Where a server listens, and by which names it may be called.
public struct ServerPlace: Sendable, Hashable {
    /// What to listen at, an IP address or `localhost`; 127.0.0.1 by default.
    ///
    /// `0.0.0.0` and `::` are all addresses of the machine.
    public var host = "127.0.0.1"
    /// The port, 0...65,535; 0, the default, for one that is free.
    public var port = 0
    /// Names, without a port, that the server may be called by beside `localhost` and any IP address: none by default.
    ///
    /// A page of somebody else can have its own name lead to this machine, and is then of the same origin as the server
    /// for its browser: by the name alone, which the browser sends, the two can be told apart.
    public var names: [String] = []
    /// Origins, such as `https://example.com`, whose pages may connect beside the server's own; none by default.
    public var origins: [String] = []

    /// The defaults: a free port of 127.0.0.1.
    public init() {}

    /// Whether only this machine reaches it.
    public var isLoopback: Bool {
        switch IPAddress(host) {
        case .some(let address): address.isLoopback
        case nil: host.lowercased() == "localhost"
        }
    }

    /// - Throws: `PublishingError` with `.invalidValue`, which names the value and what would have been
    ///   legal.
    func check(_ token: AccessToken?) throws(PublishingError) {
        guard IPAddress(host) != nil || host.lowercased() == "localhost" else {
            throw PublishingError(
                .invalidValue, reason: "\"\(host)\" to listen at, expected an IP address or localhost")
        }
        guard (0...65_535).contains(port) else {
            throw PublishingError(.invalidValue, reason: "port \(port), expected 0...65535")
        }
        guard isLoopback || token != nil else {
            throw PublishingError(
                .invalidValue,
                reason: "\(host), which others reach, without a token, expected a token or 127.0.0.1")
        }
        for name in names where Origin(isSecure: false, authority: name)?.host != name.lowercased() {
            throw PublishingError(
                .invalidValue,
                reason: "name \"\(name)\", expected letters, digits, hyphens and dots without a port, as host.local")
        }
        for origin in origins where Origin(origin) == nil {
            throw PublishingError(
                .invalidValue, reason: "origin \"\(origin)\", expected http:// or https://, a host, and perhaps a port")
        }
    }
}
