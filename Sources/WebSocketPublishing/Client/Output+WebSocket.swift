// SPDX-License-Identifier: MIT

#if WebSocket
    public import Publishing

    extension Output {
        /// A server of WebSocket: one of this library, whose publishers it takes, or one that takes NAL units.
        ///
        /// The connection begins with a key frame, and is made again as those of other live outputs are: by its
        /// `retries`, with the times and the buffer of its `connection`. Frames go as messages with the broadcast's
        /// times; when the broadcast is finished the server is told the end, and the connection is closed with the code
        /// 1000. Over `wss://` the server's certificate is looked at as `connection` says. Signs of life are asked for
        /// after 15 s of silence. What the server says is read over.
        ///
        /// - Parameters:
        ///   - address: Where to.
        ///   - options: What the server takes.
        /// - Returns: The output, with the defaults of all other options, named by the address without its secrets.
        /// - Throws: `PublishingError` with `.invalidValue` for a rotation that is no quarter turn, and with
        ///   `.unsupported` for one with NAL units, which tell nothing of it, and for `wss://` without the trait
        ///   `WebSocketTLS`.
        public static func webSocket(
            _ address: WebSocketAddress, options: WebSocketOptions = WebSocketOptions()
        ) throws(PublishingError) -> Output {
            if address.isSecure { try TLSContext.check() }
            let writer = try MessageWriter(rotation: options.rotation)
            guard options.framing == .messages || options.rotation == 0 else {
                throw PublishingError(
                    .unsupported,
                    reason: "rotation \(options.rotation) with NAL units, which tell nothing of it, expected 0")
            }
            return .packets(
                "\(address)",
                to: PacketPlace(isConnection: true, takesSound: options.framing == .messages) {
                    tracks, connection, deadline throws(PublishingError) in
                    try ServerTarget(address, options, writer, tracks, connection, deadline)
                })
        }
    }
#endif
