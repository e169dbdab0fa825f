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
            /// It was closed, with the code of the side that closed first, whether the other answered or not.
            case clean(Int?)
            /// It was closed here because of what the peer did or did not do.
            case cause(CloseCode, String)
            /// It broke.
            case broken((any Error)?)
        }

        private let isServer: Bool
        private let idleTime: TimeAmount
        private let closingTime: TimeAmount
        private let user: any ConnectionUser
        private var assembler: FrameAssembler
        private var context: ChannelHandlerContext?
        /// Where whole frames are written; nil at a client.
        private var encoder: ChannelHandlerContext?
        /// What it goes over; nil when it has ended.
        private(set) var channel: (any Channel)?
        private var ending: Ending?
        private var hasSentClose = false
        /// Whether the peer is there; nil before the connection is.
        private var idleWatch: IdleWatch?
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
            idleTime = .seconds(Int64(idleSeconds))
        }

        func handlerAdded(context: ChannelHandlerContext) {
            (self.context, channel) = (context, context.channel)
            encoder =
                isServer ? try? context.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self) : nil
            let idleWatch = IdleWatch(limit: idleTime, now: context.eventLoop.now)
            self.idleWatch = idleWatch
            scheduleLook(in: idleWatch.firstLook)
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

        private func look() {
            guard let now = context?.eventLoop.now, let step = idleWatch?.look(at: now) else { return }
            switch step {
            case .wait(let time): scheduleLook(in: time)
            case .ask(let time):
                write(.ping, ByteBuffer(), flushes: true)
                scheduleLook(in: time)
            case .giveUp:
                ending = ending ?? .cause(.goingAway, "nothing came for too long")
                close(.goingAway)
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable, !hasSentClose { user.becameWritable() }
            context.fireChannelWritabilityChanged()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            idleWatch?.sign(at: context.eventLoop.now)
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
            (context, encoder, channel) = (nil, nil, nil)
        }
    }

    // MARK: - For the user

    extension WebSocketConnection {
        /// Whether what is written now does not wait behind much else.
        var canWrite: Bool { !hasSentClose && channel?.isWritable == true }

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

        func flush() { (encoder ?? context)?.flush() }

        /// Reads nothing until ``resumeReading()``; what the peer sends waits at its side.
        func pauseReading() {
            guard idleWatch?.isPaused == false, let channel else { return }
            idleWatch?.pause()
            channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }

        /// Reads again.
        func resumeReading() {
            guard idleWatch?.isPaused == true, let context else { return }
            idleWatch?.resume(at: context.eventLoop.now)
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
