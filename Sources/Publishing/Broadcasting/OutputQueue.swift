// SPDX-License-Identifier: MIT

import DequeModule
import EncoderAPI

/// What waits for one output: of a live one as much as its limits allow, of others everything.
struct OutputQueue: Sendable {
    /// Of a live output.
    private var live: SendQueue?
    private var packets: Deque<MediaPacket> = []
    private var bytes = 0
    /// Whether packets are passed over up to the first key frame.
    private var awaitsKeyFrame: Bool
    private let hasVideo: Bool
    /// Packets that came before the output began.
    private(set) var passedOver = 0
    /// When the first key frame that is taken is shown at the earliest.
    private let start: MediaTime

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - output: Says how much may wait.
    ///   - tracks: Those the output takes.
    ///   - isJoining: Whether the output begins in the middle, with the next key frame.
    init(_ output: Output, tracks: [TrackID], isJoining: Bool) {
        hasVideo = tracks.contains { $0.kind == .video }
        start = output.start
        awaitsKeyFrame = isJoining || start > .zero
        if output.isLive {
            let limits = SendQueue.Limits(duration: output.longestQueue, byteCount: output.largestQueue)
            live = SendQueue(tracks: tracks, limits: limits, isConnected: false)
        }
    }

    /// Whether nothing waits.
    var isEmpty: Bool { packets.isEmpty && (live?.byteCount ?? 0) == 0 }

    /// Media time from the oldest to the newest.
    var age: MediaTime {
        if let live { return live.age }
        guard let first = packets.first, let last = packets.last else { return .zero }
        return max(.zero, last.decodeTime - first.decodeTime)
    }

    var byteCount: Int { live?.byteCount ?? bytes }

    mutating func push(_ packet: MediaPacket) {
        guard live == nil else {
            live?.push(packet)
            return
        }
        if awaitsKeyFrame {
            guard packet.isKey, packet.track.kind == .video || !hasVideo, packet.presentationTime >= start else {
                passedOver += 1
                return
            }
            awaitsKeyFrame = false
        }
        packets.append(packet)
        bytes += packet.data.count
    }

    mutating func pop() -> MediaPacket? {
        guard live == nil else { return live?.pop() }
        guard let packet = packets.popFirst() else { return nil }
        bytes -= packet.data.count
        return packet
    }

    /// Takes back the packet that was taken last and could not be sent, so that it counts as left out; of an output
    /// that is not live it is lost.
    mutating func putBack(_ packet: MediaPacket) { live?.putBack(packet) }

    /// Begins, with the next key frame; see ``SendQueue/connect()``.
    mutating func connect() { live?.connect() }

    /// Leaves everything out; of an output that is not live, for good.
    mutating func disconnect() {
        live?.disconnect()
        (packets, bytes) = ([], 0)
    }

    /// The episodes of leaving out that ended, each once.
    mutating func takeReports(atEnd: Bool = false) -> [DropReport] {
        if atEnd { live?.endEpisode() }
        return live?.takeReports() ?? []
    }
}
