// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import NIOHTTP1

    /// Answers a request that is none for frames: with the page, or with why there is nothing; then it ends.
    final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let hub: ViewerHub
        private var hasAnswered = false

        init(_ hub: ViewerHub) { self.hub = hub }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = Self.unwrapInboundIn(data), !hasAnswered else { return }
            hasAnswered = true
            switch hub.admission.judge(Admission.Request(head)) {
            case .page: answer(context, .ok, "text/html; charset=utf-8", ViewerPage.bytes, isHead: head.method == .HEAD)
            case .refused(let status, let reason):
                hub.noteRefusal()
                answer(context, HTTPResponseStatus(statusCode: status), reason + "\n")
            case .viewer:
                hub.noteRefusal()
                guard hub.takesViewers else { return answer(context, .serviceUnavailable, "the stream has ended\n") }
                answerNoUpgrade(context)
            case .publisher:
                hub.noteRefusal()
                guard hub.takesPublishers else {
                    return answer(context, .conflict, "as many publishers as are taken are there\n")
                }
                answerNoUpgrade(context)
            }
        }

        /// Answers who would be let in, but whose key or version is missing.
        private func answerNoUpgrade(_ context: ChannelHandlerContext) {
            answer(context, .badRequest, "no WebSocket of version 13, or no key of 16 bytes\n")
        }

        private func answer(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ text: String) {
            answer(context, status, "text/plain; charset=utf-8", Array(text.utf8), isHead: false)
        }

        private func answer(
            _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ type: String, _ bytes: [UInt8],
            isHead: Bool
        ) {
            let headers: HTTPHeaders = [
                "Content-Type": type, "Content-Length": "\(bytes.count)", "Connection": "close",
                "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                "Content-Security-Policy": ViewerPage.policy,
            ]
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
            if !isHead {
                context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
            }
            let context = context.loopBound
            context.value.writeAndFlush(Self.wrapOutboundOut(.end(nil))).whenComplete { _ in
                context.value.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard error is HTTPParserError, !hasAnswered else {
                // Of an upgrade that was refused, which is answered when its head comes here.
                if !(error is HTTPParserError) && context.channel.isActive { return }
                return context.close(promise: nil)
            }
            hasAnswered = true
            hub.noteCause(context.channel)
            answer(context, .badRequest, "no request of HTTP\n")
        }
    }
#endif
