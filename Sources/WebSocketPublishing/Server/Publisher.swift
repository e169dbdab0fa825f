// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import Publishing
    import Synchronization

    /// One publisher: its messages are read, and its packets handed on; on the hub's event loop.
    final class Publisher: ConnectionUser, @unchecked Sendable {
        // Unchecked: used on the event loop alone, which is where the closures below come to.

        private let hub: ViewerHub
        private let handler: @Sendable (PublishedStream) async -> Void
        private var reader = MessageReader()
        private var ended: Set<TrackID> = []
        private var connection: WebSocketConnection?
        private var source: PublishedSource?
        private var failure: PublishingError?

        init(_ hub: ViewerHub, _ handler: @escaping @Sendable (PublishedStream) async -> Void) {
            (self.hub, self.handler) = (hub, handler)
        }

        func opened(_ connection: WebSocketConnection) {
            self.connection = connection
            hub.join(self)
            let source = PublishedSource(limit: hub.limits.messageBytes) { [weak self, hub] in
                hub.ifRunning { hub.eventLoop.execute { [weak self] in self?.connection?.resumeReading() } }
            }
            self.source = source
            Task { [self, handler] in
                await handler(PublishedStream(source: source))
                // Whoever reads no further takes nothing more.
                hub.ifRunning { hub.eventLoop.execute { self.connection?.close(.goingAway) } }
            }
        }

        func becameWritable() {}

        func received(_ message: [UInt8]) -> CloseCode? {
            do throws(PublishingError) {
                try take(message)
                return nil
            } catch {
                failure = error
                return error.code == .unsupported ? .unsupportedData : .invalidPayload
            }
        }

        private func take(_ message: [UInt8]) throws(PublishingError) {
            switch try reader.read(message) {
            case .format(let track, _): try checkOpen(track)
            case .frame(let packet):
                try checkOpen(packet.track)
                hub.statistics.withLock { $0.receivedFrames += 1 }
                if source?.push(packet) == true { connection?.pauseReading() }
            case .end(let track):
                guard reader.tracks[track] != nil else {
                    throw PublishingError(.corrupt, reason: "the end of \(track), of which nothing came")
                }
                ended.insert(track)
            }
        }

        private func checkOpen(_ track: TrackID) throws(PublishingError) {
            guard !ended.contains(track) else {
                throw PublishingError(.corrupt, reason: "a message of \(track) behind its end")
            }
        }

        /// Closes because the server ends.
        func end() { connection?.close(.goingAway) }

        func closed(_ reason: WebSocketConnection.Ending) {
            if case .cause = reason, let channel = connection?.channel { hub.noteCause(channel) }
            connection = nil
            hub.leave(self)
            source?.end(result(reason))
        }

        private func result(_ reason: WebSocketConnection.Ending) -> Result<Void, PublishingError> {
            if let failure { return .failure(failure) }
            let isComplete = !reader.tracks.isEmpty && reader.tracks.keys.allSatisfy(ended.contains)
            switch reason {
            case .clean where isComplete: return .success(())
            case .clean(let code):
                let what = code.map { "with code \($0)" } ?? "without a code"
                return .failure(
                    PublishingError(.closedByPeer, reason: "closed \(what) before the end of all tracks"))
            case .cause(_, let reason): return .failure(PublishingError(.closedByPeer, reason: "closed: \(reason)"))
            case .broken: return .failure(PublishingError(.closedByPeer, reason: "the connection broke"))
            }
        }
    }
#endif
