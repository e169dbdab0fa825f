// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import NIOCore
    import NIOPosix
    import Publishing

    /// Sends an output's packets to a server, over one connection; of one thread.
    final class ServerTarget: PacketTarget {
        private let link = ServerLink()
        private let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        private let writer: MessageWriter
        private let tracks: [TrackID]
        private let options: ConnectionOptions
        private let deadline: Deadline
        /// Makes NAL units of packets; nil where messages have headers.
        private var nalUnits: NALUnitMessages?
        private var formats: [TrackID: TrackFormat] = [:]
        private var lots = 0
        private(set) var byteCount = 0

        /// Connects.
        ///
        /// - Throws: `PublishingError`, which names nothing of the address.
        init(
            _ address: WebSocketAddress, _ web: WebSocketOptions, _ writer: MessageWriter, _ tracks: [TrackID],
            _ options: ConnectionOptions, _ deadline: Deadline
        ) throws(PublishingError) {
            (self.writer, self.tracks, self.options, self.deadline) = (writer, tracks, options, deadline)
            nalUnits = web.framing == .nalUnits ? NALUnitMessages() : nil
            try ClientPipeline.connect(link, address, token: web.token, options, on: eventLoop)
            try wait("cannot connect", options.connectTimeout) { $0.isOpen ? () : nil }
        }

        deinit { link.abandon(on: eventLoop) }

        func write(_ packet: MediaPacket) throws(PublishingError) -> Bool {
            try send(try messages(of: packet))
            return false
        }

        private func messages(of packet: MediaPacket) throws(PublishingError) -> [[UInt8]] {
            if nalUnits != nil { return nalUnits?.messages(of: packet) ?? [] }
            let frame = try writer.frame(of: packet)
            guard formats[packet.track] != packet.format else { return [frame] }
            let format = try writer.format(of: packet)
            formats[packet.track] = packet.format
            return [format, frame]
        }

        /// Hands messages to the system.
        private func send(_ messages: [[UInt8]]) throws(PublishingError) {
            guard !messages.isEmpty else { return }
            link.send(messages.map { ByteBuffer(bytes: $0) }, on: eventLoop)
            lots += 1
            let lots = lots
            try wait("cannot send", options.writeTimeout, isRenewed: true) { $0.sentLots >= lots ? () : nil }
            byteCount += messages.reduce(0) { $0 + $1.count }
        }

        func close(isComplete: Bool) throws(PublishingError) {
            guard isComplete else { return link.abandon(on: eventLoop) }
            let ended = nalUnits == nil ? tracks.filter { formats[$0] != nil } : []
            try send(ended.map(writer.end))
            link.close(.normal, on: eventLoop)
            try wait("cannot close", options.closeTimeout) { $0.isClosed ? () : nil }
        }

        /// How often it is looked whether the output is to end, or bytes have gone on.
        private static let lookTime = Duration.milliseconds(50)
        /// So many times its time is the longest that a renewed wait takes.
        private static let mostRenewals = 12

        /// Waits for something.
        ///
        /// - Parameters:
        ///   - what: What cannot be done where it does not come.
        ///   - time: How long it may take.
        ///   - isRenewed: Whether the time begins again when bytes have gone on, ``mostRenewals`` times at most.
        ///   - isThere: Whether it has come.
        /// - Throws: `PublishingError`, which says what cannot be done.
        private func wait(
            _ what: String, _ time: Duration, isRenewed: Bool = false,
            for isThere: (inout ServerLink.Progress) -> Void?
        ) throws(PublishingError) {
            deadline.arm(time)
            let last = ContinuousClock.now + time * (Self.mostRenewals - 1)
            var least = Int.max
            while true {
                let outcome: Result<Void, PublishingError>? = link.progress.waitFor(until: .now + Self.lookTime) {
                    progress in
                    if isThere(&progress) != nil { return .success(()) }
                    return progress.failure.map { .failure($0) }
                }
                if let outcome { return try outcome.get() }
                guard !deadline.isCancelled else { throw PublishingError(.cancelled, reason: "\(what): cancelled") }
                guard !deadline.isOver else {
                    throw PublishingError(.timedOut, reason: "\(what): no answer within \(time)")
                }
                guard isRenewed else { continue }
                link.look(on: eventLoop)
                let waiting = link.progress.withLock { $0.waitingBytes }
                if waiting > 0, waiting < least, .now < last {
                    if least < .max { deadline.arm(time) }
                    least = waiting
                }
            }
        }
    }
#endif
