// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import Publishing

    /// Gives an output's packets to the viewers of a server, as messages that are made once.
    final class ViewerTarget: PacketTarget {
        private let hub: ViewerHub
        private let writer: MessageWriter
        private let deadline: Deadline
        private let onClose: () -> Void
        private var formats: [TrackID: (format: TrackFormat, message: ByteBuffer)] = [:]
        private(set) var byteCount = 0

        init(
            _ hub: ViewerHub, _ writer: MessageWriter, _ tracks: [TrackID], _ deadline: Deadline,
            onClose: @escaping () -> Void
        ) throws(PublishingError) {
            (self.hub, self.writer, self.deadline, self.onClose) = (hub, writer, deadline, onClose)
            let ends = tracks.map { ServerFrame.binary(writer.end(of: $0)) }
            try hub.run { () throws(PublishingError) in try hub.begin(tracks, endMessages: ends) }
        }

        func write(_ packet: MediaPacket) throws(PublishingError) -> Bool {
            let bytes = try writer.frame(of: packet)
            let message = ViewerHub.Message(
                frame: ServerFrame.binary(bytes), format: try format(of: packet), byteCount: bytes.count)
            byteCount += bytes.count
            return try hub.run { [hub] () throws(PublishingError) in hub.deliver(packet, message) }
        }

        private func format(of packet: MediaPacket) throws(PublishingError) -> ByteBuffer {
            // Viewers begin with key frames: the message has the times of the frame that it goes before.
            if !packet.isKey, let known = formats[packet.track], known.format == packet.format { return known.message }
            let message = ServerFrame.binary(try writer.format(of: packet))
            formats[packet.track] = (packet.format, message)
            return message
        }

        func close(isComplete: Bool) throws(PublishingError) {
            // Viewers have a queue of a second unless more is asked for: those that take nothing are given up with it.
            let time: TimeAmount = isComplete && !deadline.isCancelled ? .seconds(3) : .milliseconds(200)
            onClose()
            try? hub.end(isComplete ? .normal : .goingAway, within: time)?.wait()
        }
    }

    extension ViewerHub {
        /// Runs something on the event loop, from another thread, which waits for it: no more than one packet is on its
        /// way.
        func run<Value: Sendable>(
            _ body: @escaping @Sendable () throws(PublishingError) -> Value
        ) throws(PublishingError) -> Value {
            let stopped = PublishingError(.invalidState, reason: "the server has stopped")
            guard let future = ifRunning({ eventLoop.submit(body) }) else { throw stopped }
            do {
                return try future.wait()
            } catch let error as PublishingError {
                throw error
            } catch {
                throw stopped
            }
        }
    }
#endif
