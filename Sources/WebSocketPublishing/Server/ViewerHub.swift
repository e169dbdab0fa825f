// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import NIOCore
    import Publishing
    import Synchronization

    /// All connections of a server, and what they share; used on its event loop alone, but for ``statistics`` and what
    /// hands something to the loop.
    final class ViewerHub: @unchecked Sendable {
        // Unchecked: what changes is in locks, or used on the event loop alone.

        /// The message of a frame as all viewers share it, with that of its format: each in its ``ServerFrame``.
        final class Message: Sendable {
            let frame: ByteBuffer
            let format: ByteBuffer
            /// Bytes of the frame's message.
            let byteCount: Int

            init(frame: ByteBuffer, format: ByteBuffer, byteCount: Int) {
                (self.frame, self.format, self.byteCount) = (frame, format, byteCount)
            }
        }

        /// What viewers were sent, and what was left out for them.
        struct Traffic {
            var (frames, bytes, drops) = (0, 0, 0)
        }

        let eventLoop: any EventLoop
        /// What is shown over TLS; nil where nothing is encrypted.
        private let security: TLSContext?
        let admission: Admission
        let limits: ServerLimits
        let viewerLimits: ViewerLimits
        let statistics = Mutex(ServerStatistics())
        /// What a frame that is being given to all viewers adds to the statistics; nil while none is.
        private var traffic: Traffic?
        /// Whether the event loop ends: nothing may be handed to it from then on.
        private let hasStopped = Mutex(false)
        private var connections: [ObjectIdentifier: any Channel] = [:]
        /// Open connections that are being closed because of what their peers did or did not do.
        private var causes: Set<ObjectIdentifier> = []
        private var viewers: [ObjectIdentifier: Viewer] = [:]
        private var publishers: [ObjectIdentifier: Publisher] = [:]
        /// Takes what publishers send; nil where there are none.
        let onPublisher: (@Sendable (PublishedStream) async -> Void)?
        /// The tracks of the output that gives frames; nil before it comes.
        private var tracks: [TrackID]?
        /// What tells viewers that no more frames come, one message for each track, in its ``ServerFrame``.
        private(set) var endMessages: [ByteBuffer] = []
        /// The code that viewers are closed with when they have what waits; nil as long as more may come.
        private var ending: CloseCode?
        private var waitingForEnd: [EventLoopPromise<Void>] = []

        init(
            on eventLoop: any EventLoop, admission: Admission, limits: ServerLimits, viewers: ViewerLimits,
            security: TLSContext?, onPublisher: (@Sendable (PublishedStream) async -> Void)?
        ) {
            (self.eventLoop, self.admission, self.limits, viewerLimits) = (eventLoop, admission, limits, viewers)
            (self.security, self.onPublisher) = (security, onPublisher)
        }

        /// Hands nothing more to the event loop, which may end then.
        func stop() { hasStopped.withLock { $0 = true } }

        /// Hands something to the event loop, from any thread; nil where the server has stopped.
        @discardableResult
        func ifRunning<Value: Sendable>(_ body: () -> Value) -> Value? {
            hasStopped.withLock { $0 ? nil : body() }
        }

        /// Takes a connection in, or refuses it.
        func accept(_ channel: any Channel) throws {
            eventLoop.assertInEventLoop()
            guard connections.count < limits.connections else {
                statistics.withLock { $0.refused += 1 }
                throw ChannelError.operationUnsupported
            }
            connections[ObjectIdentifier(channel)] = channel
            statistics.withLock { $0.connections += 1 }
            channel.closeFuture.assumeIsolatedUnsafeUnchecked().whenComplete { [self] _ in
                connections[ObjectIdentifier(channel)] = nil
                causes.remove(ObjectIdentifier(channel))
                statistics.withLock { $0.connections -= 1 }
            }
            try security?.encrypt(channel)
            try ServerPipeline.addRequestHandlers(to: channel, hub: self)
        }

        /// Counts a request that is refused.
        func noteRefusal() { statistics.withLock { $0.refused += 1 } }

        /// Counts a connection, once, that is closed because of what its peer did or did not do.
        func noteCause(_ channel: any Channel) {
            guard causes.insert(ObjectIdentifier(channel)).inserted else { return }
            statistics.withLock { $0.closedForCause += 1 }
        }

        /// Whether viewers still get something.
        var takesViewers: Bool { ending == nil }

        /// Whether there is room for one more publisher.
        var takesPublishers: Bool { publishers.count < limits.publishers }

        func join(_ publisher: Publisher) {
            eventLoop.assertInEventLoop()
            publishers[ObjectIdentifier(publisher)] = publisher
            statistics.withLock { $0.publishers += 1 }
        }

        func leave(_ publisher: Publisher) {
            eventLoop.assertInEventLoop()
            guard publishers.removeValue(forKey: ObjectIdentifier(publisher)) != nil else { return }
            statistics.withLock { $0.publishers -= 1 }
        }
    }

    // MARK: - Viewers

    extension ViewerHub {
        /// Takes notice of the tracks that frames will come of.
        ///
        /// - Throws: `PublishingError` with `.invalidState` where another output gives frames.
        func begin(_ tracks: [TrackID], endMessages: [ByteBuffer]) throws(PublishingError) {
            eventLoop.assertInEventLoop()
            guard self.tracks == nil else {
                throw PublishingError(.invalidState, reason: "another output gives frames to the server's viewers")
            }
            (self.tracks, self.endMessages) = (tracks, endMessages)
            for viewer in viewers.values { viewer.begin(tracks) }
        }

        func join(_ viewer: Viewer) {
            eventLoop.assertInEventLoop()
            viewers[ObjectIdentifier(viewer)] = viewer
            if let tracks { viewer.begin(tracks) }
            statistics.withLock { statistics in
                statistics.viewers += 1
                statistics.joinedViewers += 1
            }
            if let ending { viewer.end(ending) }
        }

        func leave(_ viewer: Viewer) {
            eventLoop.assertInEventLoop()
            guard viewers.removeValue(forKey: ObjectIdentifier(viewer)) != nil else { return }
            statistics.withLock { $0.viewers -= 1 }
            for promise in viewers.isEmpty ? exchange(&waitingForEnd, with: []) : [] { promise.succeed() }
        }

        /// Gives a frame to all viewers.
        ///
        /// - Returns: Whether somebody waits for a key frame to begin with.
        func deliver(_ packet: MediaPacket, _ message: Message) -> Bool {
            eventLoop.assertInEventLoop()
            let frame = ViewerQueue.Frame(packet, payload: message, byteCount: message.byteCount)
            var isWaiting = false
            traffic = Traffic()
            for viewer in viewers.values where viewer.take(frame) { isWaiting = true }
            if let all = exchange(&traffic, with: nil) { count(all) }
            // Sound may come before the first picture, which begins everything by itself.
            return isWaiting && (packet.track.kind == .video || tracks?.contains { $0.kind == .video } == false)
        }

        /// Counts what a viewer was sent; once for all viewers where all are given a frame.
        func count(_ sent: Traffic) {
            guard traffic == nil else {
                traffic?.frames += sent.frames
                traffic?.bytes += sent.bytes
                traffic?.drops += sent.drops
                return
            }
            statistics.withLock { statistics in
                statistics.sentFrames += sent.frames
                statistics.sentBytes += sent.bytes
                statistics.droppedFrames += sent.drops
            }
        }

        /// Closes all viewers when they have what waits for them.
        ///
        /// - Returns: Succeeds when no viewer is left, half a second after `time` at the latest; nil where the server
        ///   has stopped.
        func end(_ code: CloseCode, within time: TimeAmount) -> EventLoopFuture<Void>? {
            ifRunning { eventLoop.flatSubmit { [self] in endViewers(code, within: time) } }
        }

        private func endViewers(_ code: CloseCode, within time: TimeAmount) -> EventLoopFuture<Void> {
            ending = ending ?? code
            for viewer in viewers.values { viewer.end(code) }
            let promise = eventLoop.makePromise(of: Void.self)
            guard !viewers.isEmpty else {
                promise.succeed()
                return promise.futureResult
            }
            waitingForEnd.append(promise)
            eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: time) { [self] in
                for viewer in viewers.values { viewer.giveUp() }
            }
            return promise.futureResult
        }

        /// Closes all publishers, because the server ends.
        func endPublishers() {
            ifRunning { eventLoop.execute { [self] in for publisher in publishers.values { publisher.end() } } }
        }

        /// Closes what is open, whatever it is for.
        func closeAll() {
            ifRunning {
                eventLoop.execute { [self] in for channel in connections.values { channel.close(promise: nil) } }
            }
        }
    }
#endif
