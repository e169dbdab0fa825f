// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import NIOWebSocket

    /// Whoever sends and receives by a connection; called on its event loop.
    protocol ConnectionUser: AnyObject {
        func opened(_ connection: WebSocketConnection)
        /// Takes a message; a code closes the connection with it.
        func received(_ message: [UInt8]) -> CloseCode?
        /// More can be written without waiting.
        func becameWritable()
        /// The last call.
        func closed(_ reason: WebSocketConnection.Ending)
    }

    /// One WebSocket connection of either side: its rules of frames, signs of life and closing.
    final class WebSocketConnection: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        /// How a connection ended.
        enum Ending: Sendable {
            /// Both sides closed it, with the code that came first.
            case clean(Int?)
            /// It was closed here because of what the peer did or did not do.
            case cause(CloseCode, String)
            /// It broke.
            case broken((any Error)?)
        }

        private let isServer: Bool
        private let idleTime: TimeAmount
        /// How long a peer may say nothing before it is asked for a sign of life.
        private let askingTime: TimeAmount
        private let closingTime: TimeAmount
        private let user: any ConnectionUser
        private var assembler: FrameAssembler
        private var context: ChannelHandlerContext?
        /// Where whole frames are written; nil at a client.
        private var encoder: ChannelHandlerContext?
        private var ending: Ending?
        private var hasSentClose = false
        /// When a frame came last.
        private var lastSign = NIODeadline.uptimeNanoseconds(0)
        /// Whether the peer was asked for a sign of life since.
        private var hasAsked = false
        /// Whether nothing is read, so that the peer has no chance to give a sign of life.
        private var isPaused = false
        /// Whether the peer has said that it closes.
        private(set) var isClosedByPeer = false
        private var watch: Scheduled<Void>?
        private var closing: Scheduled<Void>?

        /// - Parameters:
        ///   - limit: Bytes of a message of the peer at most.
        ///   - isServer: Whether the peer is a client, which masks what it sends.
        ///   - idleSeconds: After how long without a frame the connection is closed; half of that before the peer is
        ///     asked for one.
        ///   - closingTime: How long the peer may take to answer a close.
        ///   - user: Sends and receives.
        init(
            limit: Int, isServer: Bool, idleSeconds: Int, closingTime: TimeAmount = .milliseconds(500),
            user: any ConnectionUser
        ) {
            // What servers say in words harms no frames, which go the other way.
            assembler = FrameAssembler(limit: limit, expectsMasks: isServer, passesOverText: !isServer)
            (self.isServer, self.closingTime, self.user) = (isServer, closingTime, user)
            (idleTime, askingTime) = (.seconds(Int64(idleSeconds)), .milliseconds(Int64(idleSeconds) * 500))
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            encoder =
                isServer ? try? context.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self) : nil
            lastSign = context.eventLoop.now
            scheduleLook(in: askingTime)
            user.opened(self)
        }

        func handlerRemoved(context: ChannelHandlerContext) { finish(.broken(nil)) }
        func channelInactive(context: ChannelHandlerContext) {
            finish(.broken(nil))
            context.fireChannelInactive()
        }

        private func scheduleLook(in time: TimeAmount) {
            watch = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.look() }
        }

        /// Asks for a sign of life when half of the time has passed without one, and closes when all has.
        private func look() {
            guard let context else { return }
            if isPaused { lastSign = context.eventLoop.now }
            let silence = context.eventLoop.now - lastSign
            guard silence >= askingTime else { return scheduleLook(in: askingTime - silence) }
            guard silence < idleTime else {
                ending = ending ?? .cause(.goingAway, "nothing came for too long")
                return close(.goingAway)
            }
            if !hasAsked { write(.ping, ByteBuffer(), flushes: true) }
            hasAsked = true
            scheduleLook(in: idleTime - silence)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable, !hasSentClose { user.becameWritable() }
            context.fireChannelWritabilityChanged()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            (lastSign, hasAsked) = (context.eventLoop.now, false)
            let frame = Self.unwrapInboundIn(data)
            switch assembler.take(FrameAssembler.Frame(frame)) {
            case .nothing, .pong: break
            case .ping(let bytes):
                // One who asks without end and reads no answer gets none (RFC 6455, 5.5.3).
                if canWrite { write(.pong, ByteBuffer(bytes: bytes), flushes: true) }
            case .message(let bytes):
                guard ending == nil, let code = user.received(bytes) else { return }
                ending = .cause(code, "a message that is not taken")
                close(code)
            case .failed(let code, let reason):
                ending = ending ?? .cause(code, reason)
                close(code)
            case .closed(let code):
                isClosedByPeer = true
                ending = ending ?? .clean(code)
                close(code.flatMap(CloseCode.init) ?? .normal)
                closeChannel()
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // The decoder gives nothing more after what breaks the protocol.
            if let error = error as? NIOWebSocketError {
                let code: CloseCode = error == .invalidFrameLength ? .tooLarge : .protocolError
                ending = ending ?? .cause(code, "\(error)")
                return close(code)
            }
            ending = ending ?? .broken(error)
            context.close(promise: nil)
        }

        private func finish(_ reason: Ending) {
            guard context != nil else { return }
            watch?.cancel()
            closing?.cancel()
            user.closed(ending ?? reason)
            (context, encoder) = (nil, nil)
        }
    }

    // MARK: - For the user

    extension WebSocketConnection {
        /// What it goes over; nil when it has ended.
        var channel: (any Channel)? { context?.channel }

        /// Whether what is written now does not wait behind much else.
        var canWrite: Bool { !hasSentClose && context?.channel.isWritable == true }

        /// Writes a binary message; it goes with the next ``flush()``.
        ///
        /// - Parameters:
        ///   - message: Shared with whoever has it, unless it is masked.
        ///   - promise: Told when the system has it.
        func write(_ message: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
            write(.binary, message, promise: promise)
        }

        /// Writes a whole frame of a server, which goes with the next ``flush()``.
        ///
        /// - Parameter frame: As ``ServerFrame`` makes it; shared with whoever has it.
        func write(frame: ByteBuffer) {
            guard !hasSentClose else { return }
            encoder?.write(WebSocketFrameEncoder.wrapOutboundOut(frame), promise: nil)
        }

        func flush() { context?.flush() }

        /// Reads nothing until ``resumeReading()``; what the peer sends waits at its side.
        func pauseReading() {
            guard !isPaused, let channel else { return }
            isPaused = true
            channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }

        /// Reads again.
        func resumeReading() {
            guard isPaused, let context else { return }
            (isPaused, lastSign) = (false, context.eventLoop.now)
            context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }

        /// Says that this side closes, once; where the peer does not answer in time the connection ends without.
        func close(_ code: CloseCode) {
            guard !hasSentClose else { return }
            var data = ByteBuffer()
            data.writeInteger(UInt16(code.rawValue))
            write(.connectionClose, data, flushes: true)
            hasSentClose = true
            ending = ending ?? .clean(code.rawValue)
            scheduleEnd()
        }

        private func scheduleEnd() {
            guard closing == nil, let context else { return }
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: closingTime) { [weak self] in
                self?.closeChannel()
            }
        }

        private func closeChannel() {
            guard let context else { return }
            // What was written goes first, where the peer takes it.
            context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
        }

        private func write(
            _ opcode: WebSocketOpcode, _ data: ByteBuffer, flushes: Bool = false, promise: EventLoopPromise<Void>? = nil
        ) {
            guard let context, !hasSentClose else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                return
            }
            let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: isServer ? nil : .random(), data: data)
            context.write(Self.wrapOutboundOut(frame), promise: promise)
            if flushes { context.flush() }
        }
    }

    extension FrameAssembler.Frame {
        /// A frame as the decoder gives it.
        init(_ frame: WebSocketFrame) {
            self.init(
                isFinal: frame.fin, opcode: Int(UInt8(webSocketOpcode: frame.opcode)),
                hasReservedBits: frame.rsv1 || frame.rsv2 || frame.rsv3, isMasked: frame.maskKey != nil,
                payload: Array(buffer: frame.unmaskedData))
        }
    }
#endif
