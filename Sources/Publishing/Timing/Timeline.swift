// SPDX-License-Identifier: MIT

package import EncoderAPI
import LibAV

/// The one clock of all tracks: its zero is the presentation time of the first picture that is given, or where no track
/// of pictures is there or left, of the first packet.
///
/// A pure value. Gaps between packets stay as they are. A source's clock that goes back is refused, or told of once for
/// each time it goes back, and all tracks then go on from where they were.
package struct Timeline: Sendable {
    /// What becomes of a packet that is not decoded later than the packet of its track before it.
    package enum BackwardsTimes: Sendable {
        /// ``place(_:)`` throws; nothing changes.
        case refused
        /// The source is taken to count anew: the packet follows what is there, and later ones keep their distance to
        /// it, those of other tracks too once they come to the same place.
        case rebased
    }

    /// What ``place(_:)`` gives, in order.
    package enum Event: Sendable {
        /// A packet with times of this clock.
        case packet(MediaPacket)
        /// The source's clock went back: what it calls `from` is `to` here.
        case rebased(TrackID, from: MediaTime, to: MediaTime)
        /// So many packets of sound in a row were left out: they begin before the priming that the first picture needs,
        /// too many waited for it, or the source counted anew before it. Given when the track goes on, or at the end by
        /// ``finish()``.
        case soundLeftOut(TrackID, packetCount: Int)
        /// Sound has waited so long for a picture that from now on its oldest packets are left out; given once.
        case pictureMissing(waited: MediaTime)
    }

    private struct Track {
        var epoch = 0
        /// The last packet's decode time.
        var decode: MediaTime?
        /// When its latest packet ends.
        var end = MediaTime.zero
        /// When the next packet would be decoded at an even pace.
        var nextDecode = MediaTime.zero
        /// The last decode time of the source, for sources whose clock wraps.
        var source: MediaTime?
        var hasEnded = false
    }

    /// How far from zero times may be: 136 years.
    package static let farthest = MediaTime(value: 1 << 32, timescale: 1)
    /// How long before it is shown a packet may be decoded: a day.
    package static let longestReordering = MediaTime(value: 86_400, timescale: 1)

    private var tracks: TrackTable<Track>
    private let backwardsTimes: BackwardsTimes
    private let wrapPeriod: MediaTime?
    private let patience: MediaTime
    private var waiting: [MediaPacket] = []
    private var isImpatient = false
    /// Packets of sound that were left out and not told of.
    private var leftOut: [TrackID: Int] = [:]
    /// What the current epoch adds to times of the source; the one before it still holds for tracks that are behind.
    private var offsets: [MediaTime] = []
    /// When the source showed its first picture, in its own time; nil before that.
    package private(set) var base: MediaTime?

    /// Makes a clock that has not begun.
    ///
    /// - Parameters:
    ///   - tracks: All tracks that packets may belong to.
    ///   - backwardsTimes: What becomes of times that do not rise.
    ///   - wrapPeriod: After how much time the source's clock starts at zero again, 1 s or more, as those of transport
    ///     streams do (2^33 ticks of 1/90000 s); nil where it does not.
    ///   - patience: How much sound waits for the first picture.
    package init(
        tracks: [TrackID], backwardsTimes: BackwardsTimes, wrapPeriod: MediaTime? = nil,
        patience: MediaTime = MediaTime(value: 10, timescale: 1)
    ) {
        self.tracks = TrackTable(tracks.map { ($0, Track()) })
        self.backwardsTimes = backwardsTimes
        self.wrapPeriod = wrapPeriod
        self.patience = patience
    }
}

// MARK: - Placing packets

extension Timeline {
    /// Gives a packet its place; sound waits inside until the first picture is there.
    ///
    /// - Parameter packet: The packet in the source's time; those of one track in decode order.
    /// - Returns: What can go on, and what is to be told.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a track that was not announced, a packet that
    ///   ``MediaPacket/check()`` refuses, or one decoded after it is shown, more than a day before that, or farther
    ///   from zero than ``farthest`` in the source's time or in this clock's; `.backwardsTime` where those are refused.
    ///   The clock is as before.
    package mutating func place(_ packet: MediaPacket) throws(PublishingError) -> [Event] {
        var events: [Event] = []
        try place(packet, into: &events)
        return events
    }

    /// Gives a packet its place as ``place(_:)`` does, and adds what can go on and what is to be told to `events`.
    package mutating func place(_ packet: MediaPacket, into events: inout [Event]) throws(PublishingError) {
        guard tracks[packet.track] != nil else { throw .unknownTrack(packet.track, of: tracks.tracks) }
        var packet = shownBehindDecoding(packet)
        guard packet.decodeTime <= packet.presentationTime else {
            throw PublishingError(
                .invalidValue,
                reason: "decode time \(packet.decodeTime), expected the presentation time \(packet.presentationTime) "
                    + "or earlier")
        }
        guard packet.presentationTime - packet.decodeTime <= Self.longestReordering else {
            throw PublishingError(
                .invalidValue,
                reason: "decode time \(packet.decodeTime), expected \(Self.longestReordering) at most before the "
                    + "presentation time \(packet.presentationTime)")
        }
        try packet.check()
        try check(packet)
        guard wrapPeriod != nil else { return try placeUnwrapped(packet, &events) }
        packet = unwrapped(packet)
        try placeUnwrapped(packet, &events)
        tracks[packet.track]?.source = packet.decodeTime
    }

    private mutating func placeUnwrapped(_ packet: MediaPacket, _ events: inout [Event]) throws(PublishingError) {
        if base != nil { return try put(packet, &events) }
        if packet.track.kind == .audio, awaitsPicture { return events += try wait(packet) }
        let before = self
        var begun: [Event] = []
        do throws(PublishingError) {
            try begin(at: packet.presentationTime, &begun)
            try put(packet, &begun)
        } catch {
            self = before
            throw error
        }
        events += begun
    }

    /// - Throws: ``PublishingError`` with `.invalidValue` for a packet that begins or ends farther from zero than
    ///   ``farthest``, beyond which sums of times would not be exact.
    private func check(_ packet: MediaPacket) throws(PublishingError) {
        guard
            packet.decodeTime < .zero - Self.farthest || packet.presentationTime > Self.farthest
                || packet.endTime > Self.farthest
        else { return }
        throw PublishingError(
            .invalidValue,
            reason: "a packet of \(packet.track) decoded at \(packet.decodeTime) and shown from "
                + "\(packet.presentationTime) to \(packet.endTime), expected times within \(Self.farthest) of zero and of "
                + "the first picture")
    }

    /// Whether a picture may still come.
    private var awaitsPicture: Bool {
        tracks.tracks.contains { $0.kind == .video && tracks[$0]?.hasEnded == false }
    }

    /// Takes notice that a track has no more packets, and gives the sound that waits where no picture is to come.
    package mutating func end(_ track: TrackID) -> [Event] {
        tracks[track]?.hasEnded = true
        var events: [Event] = []
        if !awaitsPicture { beginWithoutPicture(&events) }
        return events
    }

    private mutating func beginWithoutPicture(_ events: inout [Event]) {
        guard base == nil, let first = waiting.first else { return }
        // The packets were checked when they began to wait.
        try? begin(at: first.presentationTime, &events)
    }

    /// Whether packets of a track wait inside for the first picture.
    package func holds(_ track: TrackID) -> Bool { waiting.contains { $0.track == track } }

    /// Gives what waits for a picture that never came, and tells of sound that was left out; call once, when the source
    /// has ended.
    package mutating func finish() -> [Event] {
        var events: [Event] = []
        beginWithoutPicture(&events)
        let untold = exchange(&leftOut, with: [:]).sorted { $0.key.number < $1.key.number }
        return events + untold.map { .soundLeftOut($0.key, packetCount: $0.value) }
    }

    private mutating func begin(at time: MediaTime, _ events: inout [Event]) throws(PublishingError) {
        base = time
        offsets = [.zero - time]
        let packets = waiting
        waiting = []
        for packet in packets { try put(packet, &events) }
    }

    private mutating func wait(_ packet: MediaPacket) throws(PublishingError) -> [Event] {
        if let last = waiting.last(where: { $0.track == packet.track }), packet.decodeTime <= last.decodeTime {
            if case .refused = backwardsTimes { throw backwards(packet, after: last.decodeTime) }
            // The source counts anew before there is a picture: what came before has no place beside what follows.
            for old in waiting { leftOut[old.track, default: 0] += 1 }
            waiting = [packet]
            return []
        }
        waiting.append(packet)
        guard let first = waiting.first, packet.endTime - first.presentationTime > patience else { return [] }
        waiting.removeFirst()
        leftOut[first.track, default: 0] += 1
        return exchange(&isImpatient, with: true) ? [] : [.pictureMissing(waited: patience)]
    }

    /// - Throws: ``PublishingError``; nothing has changed then, `events` neither.
    private mutating func put(_ packet: MediaPacket, _ events: inout [Event]) throws(PublishingError) {
        guard var track = tracks[packet.track] else { return }
        let before = offsets
        var placed = packet.moved(by: offsets[track.epoch])
        var rebased: Event?
        if let last = track.decode, placed.decodeTime <= last {
            if case .refused = backwardsTimes { throw backwards(placed, after: last) }
            (track.epoch, rebased) = rebase(packet, of: track)
            placed = packet.moved(by: offsets[track.epoch])
        } else if track.decode == nil, placed.isSound(tooEarlyFor: .zero) {
            leftOut[packet.track, default: 0] += 1
            return
        }
        do throws(PublishingError) {
            try check(placed)
        } catch {
            offsets = before
            throw error
        }
        if let rebased { events.append(rebased) }
        if !leftOut.isEmpty, let count = leftOut.removeValue(forKey: packet.track) {
            events.append(.soundLeftOut(packet.track, packetCount: count))
        }
        let distance = track.decode.map { placed.decodeTime - $0 }
        // The container of the last picture has nothing else to tell how long that lasts.
        if placed.duration == nil, let distance, distance <= Self.longestReordering { placed.duration = distance }
        track.decode = placed.decodeTime
        track.nextDecode = placed.decodeTime + (placed.duration ?? distance ?? .zero)
        track.end = max(track.end, placed.endTime)
        tracks[packet.track] = track
        events.append(.packet(placed))
    }

    private func backwards(_ packet: MediaPacket, after last: MediaTime) -> PublishingError {
        PublishingError(
            .backwardsTime, reason: "decode time \(packet.decodeTime) of \(packet.track), expected more than \(last)")
    }
}

// MARK: - Sources that count anew

extension Timeline {
    /// The epoch in which a packet rises that does not in its track's.
    private mutating func rebase(_ packet: MediaPacket, of track: Track) -> (epoch: Int, event: Event?) {
        let current = offsets.count - 1
        let isBehind = track.epoch < current
        // Another track came to the same place before.
        if isBehind, let last = track.decode, packet.decodeTime + offsets[current] > last { return (current, nil) }
        let next = track.nextDecode - packet.decodeTime
        // Where the step is too short for a jump of its own, all that have jumped move on together.
        let latestEnd = tracks.values.map(\.end).max() ?? .zero
        let offset = isBehind ? next : max(next, latestEnd - packet.presentationTime)
        let lifted = raised(offset, until: packet, isAfter: track.decode)
        if isBehind {
            offsets[current] = lifted
        } else {
            offsets.append(lifted)
        }
        let event = Event.rebased(
            packet.track, from: packet.presentationTime, to: packet.presentationTime + lifted)
        return (offsets.count - 1, event)
    }

    /// An offset with which a packet is decoded after `last`, where its predecessor had no duration.
    private func raised(_ offset: MediaTime, until packet: MediaPacket, isAfter last: MediaTime?) -> MediaTime {
        guard let last, packet.decodeTime + offset <= last else { return offset }
        let millisecond = MediaTime(value: 1, timescale: 1000)
        return last + millisecond - packet.decodeTime
    }

    /// The packet shown behind its decoding, where the source's clock starts at zero again between the two.
    private func shownBehindDecoding(_ packet: MediaPacket) -> MediaPacket {
        guard let wrapPeriod, packet.presentationTime < packet.decodeTime,
            (packet.presentationTime + wrapPeriod - packet.decodeTime).times(2) <= wrapPeriod
        else { return packet }
        var packet = packet
        packet.presentationTime = packet.presentationTime + wrapPeriod
        return packet
    }

    /// The packet in a clock that does not wrap.
    private func unwrapped(_ packet: MediaPacket) -> MediaPacket {
        guard let wrapPeriod,
            let last = tracks[packet.track]?.source ?? tracks.values.compactMap(\.source).max()
        else { return packet }
        let periods = ((last - packet.decodeTime).seconds / wrapPeriod.seconds).rounded()
        return packet.moved(by: wrapPeriod.times(Int(periods)))
    }
}
