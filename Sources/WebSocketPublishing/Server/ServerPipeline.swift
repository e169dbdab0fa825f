// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import NIOHTTP1
    import NIOWebSocket

    /// What the bytes of a connection go through: HTTP up to the answer, and behind an upgrade WebSocket.
    enum ServerPipeline {
        static func addRequestHandlers(to channel: any Channel, hub: ViewerHub) throws {
            let limit = RequestLimit(hub)
            let pageHandler = PageHandler(hub)
            let upgrader = NIOWebSocketServerUpgrader(
                // The library's own handler closes before the connection learns why.
                maxFrameSize: ServerLimits.viewerMessageBytes, automaticErrorHandling: false,
                shouldUpgrade: { channel, head in
                    // A refused request goes on to the page's handler, which says why.
                    let hasRoom =
                        switch hub.admission.judge(Admission.Request(head)) {
                        case .viewer: hub.takesViewers
                        case .publisher: hub.takesPublishers
                        default: false
                        }
                    return channel.eventLoop.makeSucceededFuture(hasRoom && head.hasKey ? HTTPHeaders() : nil)
                },
                upgradePipelineHandler: { channel, head in
                    channel.eventLoop.makeCompletedFuture { try addConnection(to: channel, head, hub) }
                })
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(limit)
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }), withErrorHandling: false)
            try pipeline.addHandler(pageHandler)
        }

        /// Puts a viewer or a publisher in the place of requests.
        private static func addConnection(to channel: any Channel, _ head: HTTPRequestHead, _ hub: ViewerHub) throws {
            let pipeline = channel.pipeline.syncOperations
            let handlers = (
                limit: try pipeline.handler(type: RequestLimit.self), page: try pipeline.handler(type: PageHandler.self)
            )
            pipeline.removeHandler(handlers.limit, promise: nil)
            pipeline.removeHandler(handlers.page, promise: nil)
            let isPublisher = hub.admission.judge(Admission.Request(head)) == .publisher
            guard isPublisher, let handler = hub.onPublisher else {
                return try pipeline.addHandler(connection(hub, ServerLimits.viewerMessageBytes, Viewer(hub)))
            }
            // The decoder holds a frame until it is whole: long ones are for those who have shown the token.
            let limit = hub.limits.messageBytes
            let decoder = try pipeline.handler(type: ByteToMessageHandler<WebSocketFrameDecoder>.self)
            try pipeline.addHandler(
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limit)), position: .after(decoder))
            pipeline.removeHandler(decoder, promise: nil)
            try pipeline.addHandler(connection(hub, limit, Publisher(hub, handler)))
        }

        private static func connection(
            _ hub: ViewerHub, _ limit: Int, _ user: any ConnectionUser
        ) -> WebSocketConnection {
            WebSocketConnection(limit: limit, isServer: true, idleSeconds: hub.limits.idleSeconds, user: user)
        }
    }

    extension Admission.Request {
        /// Takes from a request what is looked at.
        init(_ head: HTTPRequestHead) {
            func has(_ word: String, in name: String) -> Bool {
                head.headers[canonicalForm: name].contains { $0.lowercased() == word }
            }
            self.init(
                method: head.method.rawValue, target: head.uri, hosts: head.values("Host"),
                origins: head.values("Origin"), authorizations: head.values("Authorization"),
                isUpgrade: (head.version.major, head.version.minor) >= (1, 1) && has("websocket", in: "Upgrade")
                    && has("upgrade", in: "Connection"),
                hasBody: head.headers.contains(name: "Transfer-Encoding")
                    || head.values("Content-Length").contains { $0 != "0" })
        }
    }

    extension HTTPRequestHead {
        /// The values of all headers of a name, without the blanks that may stand behind them (RFC 9110, 5.5).
        fileprivate func values(_ name: String) -> [String] {
            headers[name].map { value in
                let end = value.lastIndex { $0 != " " && $0 != "\t" }
                return String(value[..<(end.map(value.index(after:)) ?? value.startIndex)])
            }
        }

        /// Whether it has the key of WebSocket, 16 bytes in base64 (RFC 6455, 4.2.1).
        fileprivate var hasKey: Bool {
            let keys = values("Sec-WebSocket-Key")
            guard keys.count == 1, keys[0].utf8.count == 24, keys[0].hasSuffix("==") else { return false }
            return keys[0].dropLast(2).utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
                default: false
                }
            }
        }
    }

    /// Closes a connection whose request is too large, or is not whole in time.
    final class RequestLimit: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let hub: ViewerHub
        private var byteCount = 0
        private var deadline: Scheduled<Void>?

        init(_ hub: ViewerHub) { self.hub = hub }

        func handlerAdded(context: ChannelHandlerContext) {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(hub.limits.requestSeconds))) {
                self.hub.noteCause(context.channel)
                context.close(promise: nil)
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            byteCount += Self.unwrapInboundIn(data).readableBytes
            guard byteCount <= hub.limits.headerBytes else {
                hub.noteCause(context.channel)
                return context.close(promise: nil)
            }
            context.fireChannelRead(data)
        }
    }
#endif
