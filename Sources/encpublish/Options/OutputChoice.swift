// SPDX-License-Identifier: MIT

import CommandOptions
import Publishing
import WebSocketPublishing

/// Where a stream goes to.
enum OutputChoice: Equatable, Sendable {
    /// A server.
    case address(PublishAddress)
    /// A server of WebSocket.
    case webSocket(WebSocketAddress, WebSocketOptions.Framing)
    /// A file; "-" for standard output.
    case file(path: String, Container)
    /// A folder of segments and their play list.
    case segments(folder: String, SegmentFolder.Kind)
    /// A page, and the frames it shows.
    case viewers(ViewerPlace)

    /// Containers by the names that stand before a path, as in `mp4:out.bin`.
    static let containers: [(name: String, container: Container)] = [
        ("mp4", .mp4), ("fmp4", .fragmentedMP4), ("mov", .mov), ("fmov", .fragmentedMOV), ("mkv", .matroska),
        ("ts", .transportStream), ("flv", .flv), ("asf", .asf), ("annexb", .annexB), ("adts", .adts),
    ]

    /// Reads an output: an address, a folder with a slash at its end, or a file, perhaps behind a container's name and
    /// a colon.
    ///
    /// - Parameters:
    ///   - text: The output.
    ///   - isSecret: Whether an error shows nothing of a text that is no address: it is from where keys are kept, and
    ///     may be one.
    /// - Throws: ``OptionError``, which shows nothing of an address behind its host.
    init(_ text: String, isSecret: Bool = false) throws(OptionError) {
        let shown = AddressHiding.shown(value: text) ?? (isSecret ? "…" : text)
        guard !text.isEmpty else {
            throw OptionError(.malformed, "an output without a name, expected an address, a file or a folder/")
        }
        if text.contains("://") {
            do throws(PublishingError) {
                if let (address, framing) = try Self.webSocket(text) {
                    self = .webSocket(address, framing)
                } else {
                    self = .address(try PublishAddress(text))
                }
            } catch {
                throw OptionError(.malformed, "\(shown): \(error.reason)")
            }
            if case .webSocket = self { try WebSocketOutputs.check(shown) }
            return
        }
        let named = Self.containers.first { text.hasPrefix($0.name + ":") }
        let path = named.map { String(text.dropFirst($0.name.count + 1)) } ?? text
        guard !path.isEmpty else { throw OptionError(.malformed, "'\(shown)', expected a path behind the colon") }
        guard !AddressHiding.isFaultyAddress(path) else {
            throw OptionError(
                .malformed, "'\(shown)', expected :// behind a scheme; a file's path as ./NAME:...")
        }
        if let named {
            if path.hasSuffix("/") {
                self = .segments(folder: path, try Self.kind(named, shown))
                return
            }
            guard path != "-" || named.container != .mp4 && named.container != .mov else {
                throw OptionError(
                    .unusable, "'\(shown)' is completed at its start when it ends, expected fmp4:-, fmov:- or a file")
            }
            self = .file(path: path, named.container)
        } else if path.hasSuffix("/") {
            self = .segments(folder: path, .fragmentedMP4)
        } else if path == "-" {
            let names = Self.containers.filter { $0.container != .mp4 && $0.container != .mov }.map { $0.name + ":-" }
            throw OptionError(.malformed, "'-' does not say what to write, expected \(names.joined(separator: ", "))")
        } else {
            do throws(PublishingError) {
                self = .file(path: path, try Container(path: path))
            } catch {
                let names = Self.containers.map { $0.name + ":" }.joined(separator: " ")
                let (begin, isHidden) = isSecret ? ("…", true) : Self.shownBegin(ofPath: text)
                let hidden = "an extension that says no container, expected \(Container.usualExtensions)"
                let reason = isHidden ? hidden : error.reason
                throw OptionError(.unknownName, "'\(begin)': \(reason); or one of \(names) before the path")
            }
        }
    }

    /// A server of WebSocket, which takes NAL units where `annexb:` stands before its address; nil for another scheme.
    private static func webSocket(
        _ text: String
    ) throws(PublishingError) -> (WebSocketAddress, WebSocketOptions.Framing)? {
        let takesUnits = text.hasPrefix("annexb:")
        let address = takesUnits ? text.dropFirst("annexb:".count) : text[...]
        let scheme = address.firstRange(of: "://").map { address[..<$0.lowerBound] } ?? ""
        guard WebSocketAddress.isScheme(scheme) else { return nil }
        return (try WebSocketAddress(String(address)), takesUnits ? .nalUnits : .messages)
    }

    /// What may be shown of a path that says no container: it may be an address without its scheme, and then has a key
    /// behind the first slash.
    private static func shownBegin(ofPath text: String) -> (String, isHidden: Bool) {
        let first = text.prefix { $0 != "/" }
        guard first.count < text.count, !text.hasPrefix("/"), !text.hasPrefix(".") else { return (text, false) }
        return (first.contains { $0 == "@" || $0 == ":" } ? "…" : "\(first)/…", true)
    }

    private static func kind(
        _ named: (name: String, container: Container), _ shown: String
    ) throws(OptionError) -> SegmentFolder.Kind {
        switch named.container {
        case .fragmentedMP4: .fragmentedMP4
        case .transportStream: .transportStream
        default: throw OptionError(.conflicting, "'\(shown)', expected fmp4: or ts: before a folder, or a file")
        }
    }

    /// Whether packets are left out rather than waited for.
    var isLive: Bool {
        switch self {
        case .address, .webSocket, .viewers: true
        case .file, .segments: false
        }
    }

    /// Whether it is a server elsewhere, which a connection is made to.
    var isAddress: Bool {
        switch self {
        case .address, .webSocket: true
        case .file, .segments, .viewers: false
        }
    }

    /// Whether it is a server that shows a certificate.
    var hasCertificate: Bool {
        switch self {
        case .address(let address): address.scheme == .rtmps
        case .webSocket(let address, _): address.isSecure
        case .file, .segments, .viewers: false
        }
    }

    /// Whether it is a folder of segments.
    var isFolder: Bool { if case .segments = self { true } else { false } }

    /// The path of a file on disk; nil for anything else.
    var filePath: String? {
        if case .file(let path, _) = self, path != "-" { path } else { nil }
    }
}

extension OutputChoice: CustomStringConvertible {
    /// What it may be shown as: an address without its secrets.
    var description: String {
        switch self {
        case .address(let address): "\(address)"
        case .webSocket(let address, let framing): (framing == .nalUnits ? "annexb:" : "") + "\(address)"
        case .file(path: "-", let container): "standard output, \(container.name)"
        case .file(let path, _): path
        case .segments(let folder, _): folder
        case .viewers(let place): "\(place)"
        }
    }
}

extension OutputChoice {
    /// Whether it is standard output.
    var isStandardOutput: Bool { if case .file(path: "-", _) = self { true } else { false } }

    /// Bytes that wait for a file before the input does.
    private static let fileQueue = 1 << 20

    /// The output that a broadcast takes.
    ///
    /// - Parameters:
    ///   - connections: What is asked of servers.
    ///   - segments: What is asked of folders.
    ///   - rotation: By how much a page, or a server's viewers, turn the pictures.
    /// - Returns: The output, which nothing has opened yet.
    /// - Throws: ``PublishingError``.
    func output(
        _ connections: ConnectionChoices, _ segments: SegmentChoices, _ rotation: DisplayRotation
    ) throws(PublishingError) -> Output {
        switch self {
        case .address(let address):
            var output = Output.address(address)
            connections.apply(to: &output)
            return output
        case .webSocket(let address, let framing):
            var output = try WebSocketOutputs.sending(to: address, framing, rotation)
            connections.apply(to: &output)
            return output
        case .file(let path, let container):
            var output = try Output.file(path, container: container)
            output.largestQueue = Self.fileQueue
            return output
        case .segments(let folder, let kind):
            var output = Output.segments(segments.folder(folder, kind))
            output.largestQueue = Self.fileQueue
            return output
        case .viewers(let place): return try WebSocketOutputs.serving(place, rotation)
        }
    }
}
