// SPDX-License-Identifier: MIT

import CommandOptions
import Publishing
import WebSocketPublishing

/// Serves a page and its frames, where the program was built so that it can.
enum ViewerServing {
    #if WebSocket
        /// Whether it can.
        static let isThere = true

        /// The output that listens at a port of 127.0.0.1 from its opening to its end, and whose page turns pictures.
        ///
        /// - Throws: ``PublishingError`` with `.invalidValue` for a port that is none.
        static func output(port: Int, rotation: DisplayRotation, name: String) throws(PublishingError) -> Output {
            var configuration = WebSocketServer.Configuration()
            configuration.place.port = port
            configuration.rotation = rotation.rawValue
            return try WebSocketServer(configuration).servingOutput(name)
        }
    #else
        /// Whether it can.
        static let isThere = false

        /// - Throws: ``PublishingError`` with `.unsupported`.
        static func output(port: Int, rotation: DisplayRotation, name: String) throws(PublishingError) -> Output {
            throw PublishingError(.unsupported, reason: reason)
        }
    #endif

    /// Why it cannot, where it cannot.
    static let reason = "this encpublish was built without swift-nio; build it with --traits WebSocket"

    /// The output of an option's value.
    ///
    /// - Throws: ``OptionError`` where the program cannot serve.
    static func planned(port: Int) throws(OptionError) -> PlannedOutput {
        guard isThere else { throw OptionError(.unusable, "--serve \(port): \(reason)") }
        return PlannedOutput(.viewers(port: port))
    }
}
