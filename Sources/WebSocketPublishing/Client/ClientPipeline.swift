// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOWebSocket
    import Publishing

    /// Connects to a server, and what the bytes go through: HTTP up to the answer, and behind it WebSocket.
    enum ClientPipeline {
        /// Bytes of a message of the server: what it says is for others.
        static let largestMessage = 1 << 16
        /// Seconds after which a server is given up that gives no sign of life.
        private static let idleSeconds = 30

        /// Connects; the link is told what comes of it.
        ///
        /// - Parameters:
        ///   - link: Is told when frames can be sent, and of every failure.
        ///   - address: Where to.
        ///   - token: Shown behind `Authorization: Bearer`; nil for none.
        ///   - options: Times, buffers and trust.
        ///   - eventLoop: What everything runs on.
        /// - Throws: `PublishingError` with `.invalidValue` for issuers that cannot be read.
        static func connect(
            _ link: ServerLink, _ address: WebSocketAddress, token: AccessToken?, _ options: ConnectionOptions,
            on eventLoop: any EventLoop
        ) throws(PublishingError) {
            let security = address.isSecure ? try TLSContext(client: options) : nil

            ClientBootstrap(group: eventLoop)
                .connectTimeout(.nanoseconds(Int64(clamping: Int(options.connectTimeout / .nanoseconds(1)))))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(options.sendBufferSize))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        link.began(channel)
                        try security?.encrypt(channel, to: address.host)
                        try addHandlers(to: channel, link, address, token, options)
                    }
                }
                .connect(host: address.host, port: address.port)
                .whenFailure { link.fail(failure($0, "cannot connect")) }
        }

        private static func addHandlers(
            to channel: any Channel, _ link: ServerLink, _ address: WebSocketAddress, _ token: AccessToken?,
            _ options: ConnectionOptions
        ) throws {
            let request = ClientRequest(link, address, token)
            let closingTime = TimeAmount.nanoseconds(Int64(clamping: Int(options.closeTimeout / .nanoseconds(1))))
            let upgrader = NIOWebSocketClientUpgrader(
                maxFrameSize: largestMessage, automaticErrorHandling: false,
                upgradePipelineHandler: { channel, head in
                    // What was not offered ends the connection (RFC 6455, 4.1).
                    for name in ["Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"]
                    where head.headers.contains(name: name) {
                        link.fail(
                            PublishingError(
                                .unsupported, reason: "cannot connect: the server answers by \(name), expected none"))
                        return channel.close()
                    }
                    return channel.eventLoop.makeCompletedFuture {
                        let connection = WebSocketConnection(
                            limit: largestMessage, isServer: false, idleSeconds: idleSeconds, closingTime: closingTime,
                            user: link)
                        try channel.pipeline.syncOperations.addHandler(connection)
                    }
                })
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers(
                leftOverBytesStrategy: .forwardBytes,
                withClientUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        let pipeline = context.pipeline.syncOperations
                        guard let request = try? pipeline.handler(type: ClientRequest.self) else { return }
                        pipeline.removeHandler(request, promise: nil)
                    }
                ))
            try pipeline.addHandler(request)
        }

        /// What a failure of the library is to an output; nil where the connection ended without one.
        static func failure(_ error: (any Error)?, _ what: String) -> PublishingError {
            let ended = PublishingError(.closedByPeer, reason: "\(what): the server ended the connection")
            guard let error else { return ended }
            if let failure = TLSContext.failure(error, what) { return failure }
            switch error {
            case let error as NIOConnectionError:
                guard let first = error.connectionErrors.first else {
                    return PublishingError(.unreachable, reason: "\(what): the host is unknown")
                }
                return failure(first.error, what)
            case let error as IOError:
                guard let refusal = ServerRefusal(status: error.errnoCode) else { return ended }
                return PublishingError(
                    refusal.code, reason: "\(what): \(refusal.reason)", status: Int(error.errnoCode))
            case ChannelError.connectTimeout: return PublishingError(.timedOut, reason: "\(what): no answer")
            case HTTPParserError.invalidEOFState: return ended
            case is HTTPParserError: return PublishingError(.unsupported, reason: "\(what): no server of HTTP")
            default: return ended
            }
        }
    }

    /// Asks for WebSocket when the connection stands, and takes the answer where it is another than that.
    private final class ClientRequest: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart

        private let link: ServerLink
        private let address: WebSocketAddress
        private let token: AccessToken?

        init(_ link: ServerLink, _ address: WebSocketAddress, _ token: AccessToken?) {
            (self.link, self.address, self.token) = (link, address, token)
        }

        func channelActive(context: ChannelHandlerContext) {
            var headers: HTTPHeaders = ["Host": address.authority, "Content-Length": "0"]
            if let token { headers.add(name: "Authorization", value: "Bearer \(token.secret)") }
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.target, headers: headers)
            context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
            link.fail(ServerRefusal(status: Int(head.status.code)).error("cannot connect"))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            link.fail(ClientPipeline.failure(nil, "cannot connect"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Of an upgrade that is none, whose answer follows.
            if error is NIOHTTPClientUpgradeError { return }
            link.fail(ClientPipeline.failure(error, "cannot connect"))
            context.close(promise: nil)
        }
    }
#endif
