// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import NIOCore
    import Publishing

    /// One connection to a server: used on its event loop, and by ``progress`` from the thread that sends.
    final class ServerLink: ConnectionUser, @unchecked Sendable {
        // Unchecked: all but `progress` is touched on the event loop alone.

        /// What the sending thread waits for.
        struct Progress {
            /// Whether frames can be sent.
            var isOpen = false
            /// Lots of messages that the system has.
            var sentLots = 0
            /// Bytes that wait for the system, as far as is known.
            var waitingBytes = 0
            /// Whether both sides have closed.
            var isClosed = false
            /// Why there is no connection, or none any more; nil as long as there is one.
            var failure: PublishingError?
        }

        let progress = SessionLock(Progress())
        private var connection: WebSocketConnection?
        private var channel: (any Channel)?
        private var isAbandoned = false
        private var isClosing = false

        /// Changes what the sending thread looks at, and wakes it.
        private func tell(_ change: (inout Progress) -> Void) {
            progress.withLock { change(&$0) }
            progress.wakeAll()
        }

        /// Takes notice that there is no connection; the first reason counts.
        func fail(_ error: PublishingError) { tell { $0.failure = $0.failure ?? error } }

        /// Takes notice of the channel, before anything is sent over it.
        func began(_ channel: any Channel) {
            self.channel = channel
            if isAbandoned { channel.close(promise: nil) }
        }

        func opened(_ connection: WebSocketConnection) {
            self.connection = connection
            tell { $0.isOpen = true }
        }

        /// What servers say in messages is for others.
        func received(_ message: [UInt8]) -> CloseCode? { nil }

        func becameWritable() {}

        func closed(_ reason: WebSocketConnection.Ending) {
            let isAnswered = isClosing && connection?.isClosedByPeer == true
            connection = nil
            tell { progress in
                switch reason {
                case .clean(CloseCode.normal.rawValue) where isAnswered: progress.isClosed = true
                case .clean where isClosing:
                    progress.failure =
                        progress.failure ?? PublishingError(.closedByPeer, reason: "the close was not answered")
                case .clean(let code):
                    progress.failure = progress.failure ?? ServerRefusal(closeCode: code).error("cannot send")
                case .cause(_, let reason):
                    progress.failure =
                        progress.failure ?? PublishingError(.closedByPeer, reason: "closed here: \(reason)")
                case .broken(let error):
                    progress.failure = progress.failure ?? ClientPipeline.failure(error, "cannot send")
                }
            }
        }
    }

    // MARK: - From the sending thread

    extension ServerLink {
        /// Sends messages; ``Progress/sentLots`` grows when the system has the last of them.
        func send(_ messages: [ByteBuffer], on eventLoop: any EventLoop) {
            eventLoop.execute { [self] in
                guard let connection, let last = messages.last else { return }
                for message in messages.dropLast() { connection.write(message) }
                let promise = eventLoop.makePromise(of: Void.self)
                promise.futureResult.whenSuccess { [self] in tell { $0.sentLots += 1 } }
                connection.write(last, promise: promise)
                connection.flush()
            }
        }

        /// Finds out how much waits for the system.
        func look(on eventLoop: any EventLoop) {
            eventLoop.execute { [self] in
                guard let options = channel?.syncOptions, let count = try? options.getOption(.bufferedWritableBytes)
                else { return }
                tell { $0.waitingBytes = count }
            }
        }

        /// Closes with a code, behind what was sent.
        func close(_ code: CloseCode, on eventLoop: any EventLoop) {
            eventLoop.execute { [self] in
                isClosing = true
                connection?.close(code)
            }
        }

        /// Ends the connection, in whatever state it is.
        func abandon(on eventLoop: any EventLoop) {
            eventLoop.execute { [self] in
                isAbandoned = true
                if let connection { return connection.close(.goingAway) }
                channel?.close(promise: nil)
            }
        }
    }
#endif
