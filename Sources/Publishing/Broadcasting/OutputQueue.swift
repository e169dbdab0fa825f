// SPDX-License-Identifier: MIT

import DequeModule
import EncoderAPI

/// The packets that wait for one output: as many as the limits of a live output allow, all of a file or folder.
struct OutputQueue: Sendable {
    /// How far the output is with asking for a key frame to begin with.
    private enum KeyFrameWish {
        case none
        case wanted
        case asked
    }

    /// The queue of a live output; nil for a file or folder.
    private var live: SendQueue?
    private var packets: Deque<MediaPacket> = []
    private var bytes = 0
    /// The broadcast's first packet of each track, up to the first packet that is taken from the queue.
    private var first: [MediaPacket] = []
    /// Whether packets are passed over up to the first key frame.
    private var awaitsKeyFrame: Bool
    private let hasVideo: Bool
    private var wish = KeyFrameWish.none
    /// Whether the broadcast had begun before the output was added, or packets came before it was connected.
    private var isLate: Bool
    /// Packets that came before the output began.
    private(set) var passedOver = 0
    /// When the first key frame that is taken is shown at the earliest.
    private let start: MediaTime
    /// When the key frame is shown that a file or folder began with in the middle: what is heard or seen before it is
    /// passed over.
    private var beginning: MediaTime?

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
        isLate = isJoining
        guard output.isLive else { return }
        let limits = SendQueue.Limits(duration: output.longestQueue, byteCount: output.largestQueue)
        // A closure is there from the start; a connection is not.
        let isClosure =
            switch output.destination {
            case .receiver: true
            case .packets(let place): !place.isConnection
            default: false
            }
        live = SendQueue(tracks: tracks, limits: limits, isConnected: isClosure && !isJoining)
        if isClosure { live?.connect() }
    }

    /// Whether nothing waits.
    var isEmpty: Bool { packets.isEmpty && (live?.byteCount ?? 0) == 0 }

    /// Whether an output has left out all that came since its connection broke, or since it was added, for want of a
    /// key frame to begin with: its packets end before those of the source.
    var isWithoutEnd: Bool {
        if let live { return live.episode?.reason == .notConnected }
        return awaitsKeyFrame && passedOver > 0 && start == .zero
    }

    /// Media time from the oldest to the newest.
    var age: MediaTime {
        if let live { return live.age }
        guard let first = packets.first, let last = packets.last else { return .zero }
        return max(.zero, last.decodeTime - first.decodeTime)
    }

    var byteCount: Int { live?.byteCount ?? bytes }

    /// The format of each track's next packet, of tracks that have one.
    var nextFormats: TrackTable<TrackFormat> {
        TrackTable((live?.packets ?? packets).lazy.map { ($0.track, $0.format) })
    }

    /// Takes notice of the broadcast's first packet of each track, before any is given.
    mutating func begin(with first: [MediaPacket]) {
        // An output that begins later has the formats of these, but none of the times.
        if start == .zero { self.first = first }
    }

    mutating func push(_ packet: MediaPacket) {
        isLate = isLate || live?.isConnected == false
        if let isBeginning = live?.push(packet) {
            noteBeginning(isBeginning, with: packet)
            return
        }
        if awaitsKeyFrame {
            awaitsKeyFrame = !packet.isKey || packet.track.kind != .video && hasVideo || packet.presentationTime < start
            noteBeginning(awaitsKeyFrame, with: packet)
            guard !awaitsKeyFrame else {
                passedOver += 1
                return
            }
            beginning = packet.presentationTime
        }
        // The key frame is decoded before it is shown: sound between belongs to pictures that are not there, and the
        // pictures between are predicted from such.
        if let beginning,
            packet.isSound(tooEarlyFor: beginning)
                || packet.track.kind == .video && packet.presentationTime < beginning
        {
            passedOver += 1
            return
        }
        packets.append(packet)
        bytes += packet.byteCount
    }

    /// Gives the packet to be written next, and what the container's clock is to begin with besides it.
    ///
    /// - Returns: `first` is the broadcast's first packet of each track, once, where `packet` is one of them. For a
    ///   live output it is empty where packets were left out before, as while a connection was being made: times begin
    ///   at zero with `packet` then.
    mutating func pop() -> (packet: MediaPacket, first: [MediaPacket])? {
        guard let packet = popPacket() else { return nil }
        let first = exchange(&self.first, with: [])
        let isFirst = first.contains { $0.track == packet.track && $0.decodeTime == packet.decodeTime }
        return (packet, isFirst || live == nil ? first : [])
    }

    /// Gives what is to be written next: of a live output one packet, as ``pop()`` does, and else several.
    ///
    /// - Parameter limit: Bytes after which no further packet is taken, 1 or more.
    /// - Returns: `packets` is empty where nothing waits; `first` is for the first of them.
    mutating func popSeveral(byteCount limit: Int) -> (packets: [MediaPacket], first: [MediaPacket]) {
        guard let (packet, first) = pop() else { return ([], []) }
        var (packets, taken) = ([packet], packet.byteCount)
        while live == nil, taken < limit, let next = popPacket() {
            packets.append(next)
            taken += next.byteCount
        }
        return (packets, first)
    }

    private mutating func popPacket() -> MediaPacket? {
        guard live == nil else { return live?.pop() }
        guard let packet = packets.popFirst() else { return nil }
        bytes -= packet.byteCount
        return packet
    }

    /// Takes back the packet that was taken last and could not be sent, so that it counts as left out; of an output
    /// that is not live it is lost.
    mutating func putBack(_ packet: MediaPacket) { live?.putBack(packet) }

    /// Begins, with the next key frame where packets came before; see ``SendQueue/connect()``.
    mutating func connect() {
        live?.connect()
        if isLate, start == .zero, live?.isBeginning ?? awaitsKeyFrame { wish = .wanted }
    }

    /// Leaves everything out; of an output that is not live, for good.
    ///
    /// - Returns: How many packets are left out that no ``DropReport`` counts.
    mutating func disconnect() -> Int {
        live?.disconnect()
        (wish, isLate) = (.none, true)
        defer { (packets, bytes, first) = ([], 0, []) }
        return packets.count
    }

    /// The episodes of leaving out that ended, each once.
    mutating func takeReports(atEnd: Bool = false) -> [DropReport] {
        if atEnd { live?.endEpisode() }
        return live?.takeReports() ?? []
    }
}

// MARK: - Key frames to begin with

extension OutputQueue {
    /// Whether a key frame is to be asked for, with which the output could begin.
    var wantsKeyFrame: Bool { wish == .wanted }

    /// Lets a key frame be asked for, with which another file can begin.
    mutating func wantKeyFrame() { wish = .wanted }

    /// Takes notice that a key frame was asked for, or that it was too early to ask again.
    ///
    /// Then the next picture that is passed over brings the wish up once more.
    mutating func askedForKeyFrame(_ isAsked: Bool) { wish = isAsked ? .asked : .none }

    /// Takes notice of a packet that was taken, or passed over because the output has not begun.
    private mutating func noteBeginning(_ isBeginning: Bool, with packet: MediaPacket) {
        if !isBeginning {
            wish = .none
        } else if wish == .none, packet.track.kind == .video, packet.presentationTime >= start {
            wish = .wanted
        }
    }
}
