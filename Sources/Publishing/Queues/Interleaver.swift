// SPDX-License-Identifier: MIT

import DequeModule
package import EncoderAPI

/// Puts packets of several tracks into one order, by decode time, without waiting for a track that has nothing.
///
/// A pure value. A packet goes on once every other track has one too, has ended, or lags so far behind that waiting
/// would hold up the rest. Packets of one track keep their order, whatever their times.
package struct Interleaver: Sendable {
    private struct Track: Sendable {
        var packets: Deque<MediaPacket> = []
        var hasEnded = false
    }

    private let order: [TrackID]
    private let longestLag: MediaTime
    /// In the order of ``order``.
    private var tracks: [Track]
    /// The latest decode time that was given.
    private var newest: MediaTime?

    /// Makes an interleaver without packets.
    ///
    /// - Parameters:
    ///   - tracks: All there will be; of equal times the earlier track's goes first.
    ///   - longestLag: How far a track without packets may be behind the newest packet before the others go on without
    ///     it.
    package init(tracks: [TrackID], longestLag: MediaTime = MediaTime(value: 1, timescale: 1)) {
        order = tracks
        self.longestLag = longestLag
        self.tracks = tracks.map { _ in Track() }
    }

    /// Whether every track has ended and all packets have gone on.
    package var isFinished: Bool { tracks.allSatisfy { $0.hasEnded && $0.packets.isEmpty } }

    /// How many tracks there are.
    package var trackCount: Int { order.count }

    /// Packets that wait.
    package var count: Int { tracks.reduce(0) { $0 + $1.packets.count } }

    /// The first waiting packet of each track that has one: what a container's clock begins with.
    package var heads: [MediaPacket] { tracks.compactMap(\.packets.first) }

    /// Takes a packet.
    ///
    /// - Throws: ``PublishingError`` with `.invalidValue` for a track that was not announced, `.invalidState` for one
    ///   that has ended.
    package mutating func push(_ packet: MediaPacket) throws(PublishingError) {
        guard let index = order.firstIndex(of: packet.track) else { throw .unknownTrack(packet.track, of: order) }
        guard !tracks[index].hasEnded else {
            throw PublishingError(
                .invalidState, reason: "a packet of \(packet.track) at \(packet.decodeTime), after the track's end")
        }
        tracks[index].packets.append(packet)
        newest = max(newest ?? packet.decodeTime, packet.decodeTime)
    }

    /// Notes that a track has no more packets; again does nothing.
    package mutating func end(_ track: TrackID) {
        if let index = order.firstIndex(of: track) { tracks[index].hasEnded = true }
    }

    /// Gives the next packet; nil where it is too early to tell which that is.
    package mutating func pop() -> MediaPacket? {
        var earliest: (index: Int, time: MediaTime)?
        var isWaiting = false
        for index in tracks.indices {
            if let time = tracks[index].packets.first?.decodeTime {
                if earliest.map({ time < $0.time }) ?? true { earliest = (index, time) }
            } else if !tracks[index].hasEnded {
                isWaiting = true
            }
        }
        guard let earliest else { return nil }
        if isWaiting, let newest, newest - earliest.time < longestLag { return nil }
        return tracks[earliest.index].packets.popFirst()
    }
}
