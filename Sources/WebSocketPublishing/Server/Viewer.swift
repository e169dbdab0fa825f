// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import Publishing
    import Synchronization

    /// One viewer: its queue, and the connection that empties it; on the hub's event loop.
    final class Viewer: ConnectionUser {
        private let hub: ViewerHub
        private var queue: ViewerQueue<ViewerHub.Message>?
        private var connection: WebSocketConnection?
        private var ending: CloseCode?
        private var countedDrops = 0
        /// Closes a viewer who was told the end and does not close; nil before that.
        private var lastCall: Scheduled<Void>?

        init(_ hub: ViewerHub) { self.hub = hub }

        var waitingFrames: Int { queue?.count ?? 0 }

        /// What it is connected by; nil where it is not.
        var channel: (any Channel)? { connection?.channel }

        /// Takes notice of the tracks that frames will come of.
        func begin(_ tracks: [TrackID]) {
            if queue == nil { queue = ViewerQueue(tracks: tracks, limits: hub.viewerLimits) }
        }

        /// Takes a frame.
        ///
        /// - Returns: Whether it waits for a key frame to begin with.
        func take(_ frame: ViewerQueue<ViewerHub.Message>.Frame) -> Bool {
            queue?.push(frame)
            send()
            return queue?.isBeginning ?? false
        }

        /// Closes when all that waits was sent.
        func end(_ code: CloseCode) {
            ending = ending ?? code
            send()
        }

        /// Hands on what the connection takes now.
        private func send() {
            guard let connection else { return }
            var sent = ViewerHub.Traffic()
            while waitingFrames > 0, connection.canWrite, let (frame, isFormatNew) = queue?.pop() {
                if isFormatNew { connection.write(frame: frame.payload.format) }
                connection.write(frame: frame.payload.frame)
                sent.frames += 1
                sent.bytes += frame.byteCount
            }
            if sent.frames > 0 { connection.flush() }
            let drops = queue?.droppedFrames ?? 0
            sent.drops = drops - countedDrops
            countedDrops = drops
            hub.count(sent)
            if let ending, waitingFrames == 0 { end(connection, ending) }
        }

        /// Tells the end of all tracks where all was sent, and leaves it to the viewer to close when it has shown that.
        private func end(_ connection: WebSocketConnection, _ code: CloseCode) {
            guard code == .normal, !hub.endMessages.isEmpty else { return connection.close(code) }
            guard lastCall == nil else { return }
            for message in hub.endMessages { connection.write(frame: message) }
            connection.flush()
            lastCall = hub.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: Self.timeToShow) {
                connection.close(code)
            }
        }

        /// Closes a viewer for whom the time is up: by the code where it was sent all, else at once.
        func giveUp() {
            if lastCall != nil, let ending {
                connection?.close(ending)
            } else {
                channel?.close(promise: nil)
            }
        }

        /// How long a viewer may take to show what it has, and to close.
        private static let timeToShow = TimeAmount.milliseconds(2500)

        func opened(_ connection: WebSocketConnection) {
            self.connection = connection
            hub.join(self)
        }

        func becameWritable() { send() }

        /// Viewers have nothing to say but how they fare.
        func received(_ message: [UInt8]) -> CloseCode? {
            guard let report = try? ViewerReport(message: message) else { return .invalidPayload }
            hub.statistics.withLock { $0.lastReport = report }
            return nil
        }

        func closed(_ reason: WebSocketConnection.Ending) {
            if case .clean(CloseCode.normal.rawValue) = reason { hub.statistics.withLock { $0.completedViewers += 1 } }
            if case .cause = reason, let channel = connection?.channel { hub.noteCause(channel) }
            connection = nil
            lastCall?.cancel()
            hub.leave(self)
        }
    }
#endif
