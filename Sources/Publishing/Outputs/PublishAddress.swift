// SPDX-License-Identifier: MIT

/// Where a live output sends to: an address of RTMP, RTMPS, SRT or UDP.
///
/// What it is printed as has no secret: it shows scheme, host, port, the application of RTMP, and options of SRT and
/// UDP that are known to be harmless, and nothing else.
public struct PublishAddress: Sendable, Hashable {
    /// The protocols there are outputs for.
    @nonexhaustive
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// RTMP over TCP.
        case rtmp
        /// RTMP over TLS.
        case rtmps
        /// SRT: a transport stream, repaired and maybe encrypted, over UDP.
        case srt
        /// A transport stream over plain UDP.
        case udp

        /// Whether RTMP is spoken, over TLS or not.
        var isRTMP: Bool { self == .rtmp || self == .rtmps }

        /// The port where the address names none; nil where it must.
        var defaultPort: Int? {
            switch self {
            case .rtmp: 1935
            case .rtmps: 443
            case .srt, .udp: nil
            }
        }
    }

    /// The protocol.
    public let scheme: Scheme
    /// A name or an IP address, without brackets.
    public let host: String
    /// The port, 1...65535.
    public let port: Int
    /// The address as it may be shown.
    private let shown: String
    /// The address as it was given.
    let text: String
    /// What of it must not be shown.
    let secrets: AddressSecrets

    /// Reads an address such as `rtmp://host/application/key`, `srt://host:9000` or `udp://239.0.0.1:1234`.
    ///
    /// - Parameter text: Printable ASCII without spaces. RTMP needs an application and a key.
    /// - Throws: ``PublishingError`` with `.invalidAddress`, which says what is wrong and nothing of the rest.
    public init(_ text: String) throws(PublishingError) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.refused("an address with a space or a character that is not ASCII, expected them as %20")
        }
        guard let end = text.firstRange(of: "://") else {
            throw Self.refused("an address without \"://\", expected \(Self.schemes)")
        }
        let name = text[..<end.lowerBound].lowercased()
        guard name.utf8.allSatisfy(Self.isOfWord) else {
            throw Self.refused("an address that begins with no scheme, expected \(Self.schemes)")
        }
        guard let scheme = Scheme(rawValue: name) else {
            throw Self.refused("scheme \"\(name)\", expected \(Self.schemes)")
        }
        let rest = text[end.upperBound...]
        let place = rest.prefix { !"/?#".contains($0) }
        let beyond = rest.dropFirst(place.count)
        let user = place.lastIndex(of: "@").map { place[..<$0] }
        let hostAndPort = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
        (host, port) = try Self.hostAndPort(hostAndPort, scheme: name, defaultPort: scheme.defaultPort)
        self.scheme = scheme
        self.text = text
        let at = host.contains(":") ? "[\(host)]" : host
        let visible = try Self.visible(beyond, scheme)
        shown = "\(name)://\(at)\(port == scheme.defaultPort ? "" : ":\(port)")\(visible)"
        secrets = AddressSecrets(user: user, beyond: beyond, visible: visible)
        if scheme == .srt { try Self.checkPassphrases(beyond) }
    }

    private static let schemes = Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")

    private static func refused(_ reason: String) -> PublishingError {
        PublishingError(.invalidAddress, reason: reason)
    }

    /// Reads a host and perhaps a port.
    ///
    /// - Parameters:
    ///   - text: What stands between the two slashes, or a user's name, and the next `/`, `?` or `#`.
    ///   - scheme: What stands before the slashes, in small letters.
    ///   - defaultPort: The port where none is named; nil where one must be.
    /// - Returns: The host, without brackets, and the port.
    /// - Throws: ``PublishingError`` with `.invalidAddress`.
    package static func hostAndPort(
        _ text: Substring, scheme: String, defaultPort: Int?
    ) throws(PublishingError) -> (host: String, port: Int) {
        var (host, port) = (text, Substring())
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw refused("a bracket that is open, expected [IPV6]:PORT")
            }
            host = text[text.index(after: text.startIndex)..<end]
            port = text[text.index(after: end)...]
            guard port.isEmpty || port.first == ":" else { throw refused("characters behind a host in brackets") }
            port = port.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard !host.isEmpty else { throw refused("an address without a host, expected \(scheme)://HOST") }
        guard isHost(host) else {
            throw refused("a host with other characters than letters, digits, dots and hyphens")
        }
        guard let number = port.isEmpty ? defaultPort : Int(port), (1...65535).contains(number) else {
            let what = port.isEmpty ? "no port" : "a port that is none"
            throw refused("\(what) in an address of \(scheme), expected \(host):1...65535")
        }
        return (String(host), number)
    }

    /// Host and port of an address that need not be right, as far as they may be shown.
    ///
    /// - Parameter text: What stands between the two slashes and the next `/`, `?` or `#`.
    /// - Returns: Host, and the port where it is one; "…" for what is left out.
    package static func shownPlace(_ text: Substring) -> String {
        let place = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
        guard let (host, port) = try? hostAndPort(place, scheme: "rtmp", defaultPort: 1935) else {
            let host = place.prefix { $0 != ":" }
            return isHost(host) && !host.isEmpty ? "\(host)/…" : "…"
        }
        return place.hasSuffix(":\(port)") || place == host || place == "[\(host)]" ? String(place) : "\(host)/…"
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Whether all characters are those of host names or IP addresses; `%` is before an interface's name.
    private static func isHost(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { isOfWord($0) || ".-_:%".utf8.contains($0) }
    }

    /// What of the part behind the host may be shown.
    private static func visible(_ text: Substring, _ scheme: Scheme) throws(PublishingError) -> String {
        switch scheme {
        case .rtmp, .rtmps:
            let parts = text.drop { $0 == "/" }.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, text.first == "/" else {
                // No whole address, which those who hide what is behind a host would cut.
                throw refused("RTMP without an application or a key, expected /APPLICATION/KEY behind the host")
            }
            let application = parts[0].prefix { $0.utf8.allSatisfy { isOfWord($0) || ".-_~".utf8.contains($0) } }
            return "/\(application)/…"
        case .srt, .udp:
            let (path, query) = (text.prefix { $0 != "?" }, text.drop { $0 != "?" }.dropFirst())
            let shown = query.split(separator: "&").map(shownOption).joined(separator: "&")
            return (path.isEmpty || path == "/" ? path : "/…") + (shown.isEmpty ? "" : "?" + shown)
        }
    }

    /// Options of SRT and UDP whose names say what is behind the sign.
    private static let numbers: Set<Substring> = [
        "buffer_size", "connect_timeout", "ffs", "fifo_size", "inputbw", "ipttl", "iptos", "latency", "linger",
        "localport", "lossmaxttl", "maxbw", "mss", "oheadbw", "payload_size", "pbkeylen", "peerlatency", "pkt_size",
        "rcvbuf", "rcvlatency", "recv_buffer_size", "send_buffer_size", "sndbuf", "snddropdelay", "timeout",
        "tlpktdrop",
        "ts", "ttl", "tsbpd",
    ]

    private static func shownOption(_ pair: Substring) -> String {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let value = parts.dropFirst().first else { return "…" }
        let isMode = name == "mode" && ["caller", "listener", "rendezvous"].contains(value)
        // A key may consist of digits; no legal value here has so many.
        let isNumber = value.utf8.count <= 10 && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isMode || numbers.contains(name) && isNumber { return String(pair) }
        return ["mode", "passphrase", "streamid", "srt_streamid"].contains(name) || numbers.contains(name)
            ? "\(name)=…" : "…"
    }

    /// Refuses passphrases that no socket of SRT takes; an empty one is none.
    private static func checkPassphrases(_ text: Substring) throws(PublishingError) {
        for pair in text.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == "passphrase", let count = parts.dropFirst().first?.utf8.count, count > 0 else { continue }
            let legal = ConnectionOptions.passphraseLengths
            guard legal.contains(count) else {
                throw refused("a passphrase of \(count) characters, expected \(legal)")
            }
        }
    }

    /// What a caller of SRT connects with; nil for an address that does not call, but listens or meets.
    ///
    /// What the address says goes before what is given beside it, as in libavformat.
    func caller(passphrase: String?) -> (passphrase: String?, streamID: String?, keyLength: Int)? {
        var caller = (passphrase: passphrase, streamID: String?.none, keyLength: 0)
        let query = text.drop { $0 != "?" }.dropFirst()
        for pair in query.split(separator: "&") {
            let name = pair.prefix { $0 != "=" }
            let value = String(pair.dropFirst(name.count + 1))
            switch name {
            case "mode" where value != "caller": return nil
            case "passphrase": caller.passphrase = value
            case "streamid", "srt_streamid": caller.streamID = AddressSecrets.unescaped(value)
            case "pbkeylen": caller.keyLength = Int(value) ?? 0
            default: break
            }
        }
        return caller
    }
}

extension PublishAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address without its secrets, such as `rtmp://host/application/…`.
    public var description: String { shown }

    /// The same.
    public var debugDescription: String { shown }

    /// The same, so that nothing prints the rest.
    public var customMirror: Mirror { Mirror(self, children: ["address": shown]) }
}
