// SPDX-License-Identifier: MIT

/// Where a live output sends to: an address of RTMP, RTMPS, SRT or UDP.
///
/// What it is printed as has no secret: no stream key, passphrase, stream id or user name.
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
    private let secrets: [String]

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
        guard let scheme = Scheme(rawValue: name) else {
            throw Self.refused("scheme \"\(name)\", expected \(Self.schemes)")
        }
        let rest = text[end.upperBound...]
        let place = rest.prefix { $0 != "/" && $0 != "?" }
        let beyond = rest.dropFirst(place.count)
        let user = place.lastIndex(of: "@").map { String(place[..<$0]) }
        let hostAndPort = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
        (host, port) = try Self.hostAndPort(hostAndPort, scheme)
        let (visible, hidden) = try Self.parts(beyond, scheme)
        self.scheme = scheme
        self.text = text
        let at = host.contains(":") ? "[\(host)]" : host
        shown = "\(name)://\(at)\(port == scheme.defaultPort ? "" : ":\(port)")\(visible)"
        // The longest first: a part of it may be one of the others.
        secrets = ([text, String(beyond)] + hidden + [user].compactMap(\.self)).filter { $0.count > 1 }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    private static let schemes = Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")

    private static func refused(_ reason: String) -> PublishingError {
        PublishingError(.invalidAddress, reason: reason)
    }

    private static func hostAndPort(
        _ text: Substring, _ scheme: Scheme
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
        guard !host.isEmpty else { throw refused("an address without a host, expected \(scheme.rawValue)://HOST") }
        guard let number = port.isEmpty ? scheme.defaultPort : Int(port), (1...65535).contains(number) else {
            let what = port.isEmpty ? "no port" : "port \(port)"
            throw refused("\(what) in an address of \(scheme.rawValue), expected \(host):1...65535")
        }
        return (String(host), number)
    }

    /// What stands behind the host, without its secrets, and those.
    private static func parts(
        _ text: Substring, _ scheme: Scheme
    ) throws(PublishingError) -> (visible: String, secrets: [String]) {
        switch scheme {
        case .rtmp, .rtmps:
            let parts = text.drop { $0 == "/" }.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, text.first == "/" else {
                throw refused(
                    "RTMP without an application or a key, expected \(scheme.rawValue)://HOST/APPLICATION/KEY")
            }
            let key = String(parts[1])
            return ("/\(parts[0])/…", [key, String(key.prefix { $0 != "?" })])
        case .srt, .udp:
            let (path, query) = (text.prefix { $0 != "?" }, text.drop { $0 != "?" }.dropFirst())
            var (shown, secrets): ([String], [String]) = ([], [])
            for pair in query.split(separator: "&") {
                let name = pair.prefix { $0 != "=" }
                let isHidden = ["passphrase", "streamid", "srt_streamid"].contains(name.lowercased())
                shown.append(isHidden ? "\(name)=…" : String(pair))
                if isHidden { secrets.append(String(pair.dropFirst(name.count + 1))) }
            }
            return (path + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&")), secrets)
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
            case "streamid", "srt_streamid": caller.streamID = Self.unescaped(value)
            case "pbkeylen": caller.keyLength = Int(value) ?? 0
            default: break
            }
        }
        return caller
    }

    /// A text in which `%` and two hexadecimal digits stand for a byte.
    private static func unescaped(_ text: String) -> String {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text[...].utf8)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text of somebody else, such as a library, without the secrets of this address.
    func hidingSecrets(in text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "…") }
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
