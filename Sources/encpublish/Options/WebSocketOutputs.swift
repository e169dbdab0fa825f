// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles
import Publishing
import WebSocketPublishing

/// Outputs over WebSocket, where the program was built so that it has them.
enum WebSocketOutputs {
    #if WebSocket
        /// Whether it has them.
        static let areThere = true

        /// The output that listens from its opening to its end, and whose page turns pictures.
        ///
        /// - Throws: ``PublishingError`` with `.invalidValue` for a place that is none, and files that cannot be used.
        static func serving(_ place: ViewerPlace, _ rotation: DisplayRotation) throws(PublishingError) -> Output {
            var configuration = WebSocketServer.Configuration()
            (configuration.place.host, configuration.place.port) = (place.host, place.port)
            configuration.place.names = place.names
            configuration.rotation = rotation.rawValue
            configuration.token = try place.tokenFile.map { file throws(PublishingError) in try token(file) }
            if let certificate = place.certificateFile, let key = place.keyFile {
                configuration.certificate = ServerCertificate(certificateFile: certificate, keyFile: key)
            }
            return try WebSocketServer(configuration).servingOutput("\(place)")
        }

        /// Reads a token, perhaps with blanks and ends of lines around it.
        private static func token(_ path: String) throws(PublishingError) -> AccessToken {
            let bytes: [UInt8]
            do throws(MediaFileError) {
                bytes = try WholeFile.read(path, limit: 4096)
            } catch {
                throw PublishingError(.invalidValue, reason: "\(error)")
            }
            let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            do throws(PublishingError) {
                return try AccessToken(words.joined(separator: " "))
            } catch {
                throw PublishingError(.invalidValue, reason: "\(path): \(error.reason)")
            }
        }

        /// The output that sends to a server, whose viewers turn pictures; with NAL units the stream itself says so.
        ///
        /// - Throws: ``PublishingError``.
        static func sending(
            to address: WebSocketAddress, _ framing: WebSocketOptions.Framing, _ rotation: DisplayRotation
        ) throws(PublishingError) -> Output {
            var options = WebSocketOptions()
            options.framing = framing
            options.rotation = framing == .messages ? rotation.rawValue : 0
            return try .webSocket(address, options: options)
        }
    #else
        /// Whether it has them.
        static let areThere = false

        /// - Throws: ``PublishingError`` with `.unsupported`.
        static func serving(_ place: ViewerPlace, _ rotation: DisplayRotation) throws(PublishingError) -> Output {
            throw PublishingError(.unsupported, reason: reason)
        }

        /// - Throws: ``PublishingError`` with `.unsupported`.
        static func sending(
            to address: WebSocketAddress, _ framing: WebSocketOptions.Framing, _ rotation: DisplayRotation
        ) throws(PublishingError) -> Output {
            throw PublishingError(.unsupported, reason: reason)
        }
    #endif

    /// Why it has none, where it has none.
    private static let reason = "this encpublish was built without swift-nio; build it with --traits WebSocket"

    /// Refuses a place that cannot be served at.
    ///
    /// - Throws: ``OptionError``, which says what is wrong, and of which option.
    static func check(_ place: ViewerPlace) throws(OptionError) {
        try check("--serve \(place.port)")
        var bare = place
        (bare.certificateFile, bare.keyFile) = (nil, nil)
        var open = bare
        (open.host, open.names) = (ViewerPlace(port: place.port).host, [])
        // Each adds what its options say to what was found to be right.
        if place.tokenFile != nil { try check(open, "--serve-token") }
        try check(bare, "--serve \(place.port)")
        if place.certificateFile != nil { try check(place, "--serve-certificate and --serve-key") }
    }

    private static func check(_ place: ViewerPlace, _ options: String) throws(OptionError) {
        do throws(PublishingError) {
            _ = try serving(place, .none)
        } catch {
            throw OptionError(.unusable, "\(options): \(error.reason)")
        }
    }

    /// Refuses an option or an output where the program has none over WebSocket.
    ///
    /// - Throws: ``OptionError``, which names it.
    static func check(_ what: String) throws(OptionError) {
        guard areThere else { throw OptionError(.unusable, "\(what): \(reason)") }
    }
}
