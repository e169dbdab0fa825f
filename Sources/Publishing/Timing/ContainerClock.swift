// SPDX-License-Identifier: MIT

package import EncoderAPI
import LibAV

/// The whole numbers that one file or connection writes for times.
///
/// A pure value. Each time is rounded once, from its exact value; decode times rise strictly after rounding. All tracks
/// are moved by one offset, which stays the same from ``begin(with:)`` to the next.
package struct ContainerClock: Sendable {
    /// How a container counts.
    package struct Rules: Sendable, Hashable {
        /// Ticks per second of each track.
        package let timescales: [TrackID: Int32]
        /// Whether a decode time may be below zero.
        package let countsBelowZero: Bool
        /// The last tick that readers understand; nil without such a limit.
        package let lastTick: Int64?
        /// Whether decode times rise from packet to packet, of whichever track.
        package let rises: Bool

        /// Makes rules.
        package init(
            timescales: [TrackID: Int32], countsBelowZero: Bool, lastTick: Int64? = nil, rises: Bool = false
        ) {
            self.timescales = timescales
            self.countsBelowZero = countsBelowZero
            self.lastTick = lastTick
            self.rises = rises
        }

        private init(
            all timescale: Int32, _ tracks: [TrackID], countsBelowZero: Bool, lastTick: Int64? = nil,
            rises: Bool = false
        ) {
            let timescales = Dictionary(tracks.map { ($0, timescale) }) { first, _ in first }
            self.init(timescales: timescales, countsBelowZero: countsBelowZero, lastTick: lastTick, rises: rises)
        }

        /// FLV and RTMP count milliseconds from zero; readers take what is above 2^31 - 1 for negative.
        package static func flv(_ tracks: [TrackID]) -> Rules {
            Rules(all: 1000, tracks, countsBelowZero: false, lastTick: Int64(Int32.max))
        }

        /// Transport streams count 1/90000 s from zero; their 33 bits wrap, which readers know.
        package static func transportStream(_ tracks: [TrackID]) -> Rules {
            Rules(all: 90_000, tracks, countsBelowZero: false)
        }

        /// ASF counts milliseconds from zero, and has an entry in its index for each second of them.
        ///
        /// Its data packets, which hold several tracks, have a start and a duration: libavformat 59 ends the process
        /// where one ends before it starts.
        package static func asf(_ tracks: [TrackID]) -> Rules {
            Rules(all: 1000, tracks, countsBelowZero: false, lastTick: Int64(Int32.max), rises: true)
        }

        /// Matroska counts milliseconds, and keeps the negative times of a codec's priming.
        package static func matroska(_ tracks: [TrackID]) -> Rules {
            Rules(all: 1000, tracks, countsBelowZero: true)
        }
    }

    /// One packet's times in ticks of its track.
    package struct Ticks: Sendable, Hashable {
        package let presentation: Int64
        package let decode: Int64
        /// 0 where no duration is known.
        package let duration: Int64

        /// Puts times together.
        package init(presentation: Int64, decode: Int64, duration: Int64) {
            self.presentation = presentation
            self.decode = decode
            self.duration = duration
        }
    }

    /// What becomes of a packet.
    package enum Placement: Sendable, Hashable {
        /// It has these times.
        case ticks(Ticks)
        /// It lies before the start of a container that cannot count below zero: leave it out.
        case beforeStart
        /// It comes behind packets of other tracks that are decoded later, which the container cannot tell: leave it
        /// out.
        case tooLate
        /// The ticks run out: begin anew with this packet, on another connection or in another file.
        case beginAnew
    }

    /// How long before its last tick a container begins anew at a key frame.
    static let margin = MediaTime(value: 600, timescale: 1)
    /// How far from zero a container without a limit of its own counts: sums and differences of two such ticks fit.
    static let farthestTick: Int64 = 1 << 61
    /// The longest duration in ticks that libavformat takes for MP4, and 6.6 hours of 1/90000 s: a picture before a
    /// longer pause is stated to last so long.
    static let longestDuration = Int64(Int32.max)

    private let rules: Rules
    private let timescales: TrackTable<Int32>
    private let isOnlySound: Bool
    private var last = TrackTable<Int64>()
    /// The latest decode time of all tracks, where the container's times rise.
    private var latest = Int64.min
    /// What is added to times of the timeline; nil before ``begin(with:)``.
    package private(set) var offset: MediaTime?

    /// Makes a clock that has not begun.
    package init(_ rules: Rules) {
        self.rules = rules
        timescales = TrackTable(rules.timescales.map { ($0.key, $0.value) })
        isOnlySound = !rules.timescales.keys.contains { $0.kind == .video }
    }
}

// MARK: - Beginning

extension ContainerClock {
    /// Chooses the offset of a file or connection.
    ///
    /// On the first call, the first picture is put at tick zero. Where the container cannot count below zero, all
    /// tracks are moved up together by as much as the earliest decode time lies before that picture, through
    /// reordering or priming. Later calls keep the offset as long as the packets can be written with it, so that a
    /// server sees one clock through all connections.
    ///
    /// - Parameter first: The first packet of each track that has one.
    /// - Returns: Whether times go on from those before; false the first time.
    @discardableResult
    package mutating func begin(with first: [MediaPacket]) -> Bool {
        if let offset, first.allSatisfy({ holds($0, with: offset) }) { return true }
        (last, latest) = (TrackTable(), .min)
        let anchor = first.first { $0.track.kind == .video }?.presentationTime ?? first.map(\.heardTime).min() ?? .zero
        let earliest = first.map(\.decodeTime).min() ?? anchor
        // Whole ticks, so that times without the offset are those that a container without it would have.
        let coarsest = rules.timescales.values.min() ?? 1000
        let lead = rules.countsBelowZero ? .zero : max(.zero, anchor - earliest)
        offset = .zero - anchor + MediaTime(value: lead.tickUp(timescale: coarsest), timescale: coarsest)
        return false
    }

    /// Whether a later file or connection may begin with a packet.
    private func holds(_ packet: MediaPacket, with offset: MediaTime) -> Bool {
        let scale = timescale(packet.track)
        let decode = (packet.decodeTime + offset).nearestTick(timescale: scale)
        guard rules.countsBelowZero || decode >= 0, decode > last[packet.track] ?? .min else { return false }
        return !isNearEnd(packet, with: offset)
    }

    private func isNearEnd(_ packet: MediaPacket, with offset: MediaTime) -> Bool {
        let end = packet.presentationTime + offset + Self.margin
        return end.nearestTick(timescale: timescale(packet.track)) > lastTick
    }

    private var lastTick: Int64 { rules.lastTick ?? Self.farthestTick }

    private func timescale(_ track: TrackID) -> Int32 { timescales[track] ?? 1000 }
}

// MARK: - Placing

extension ContainerClock {
    /// The ticks of a packet; those of one track are given in decode order, after ``begin(with:)``.
    package mutating func place(_ packet: MediaPacket) -> Placement {
        guard let offset else { return .beginAnew }
        let scale = timescale(packet.track)
        let start = max((packet.presentationTime + offset).nearestTick(timescale: scale), -Self.farthestTick)
        let exactDecode = (packet.decodeTime + offset).nearestTick(timescale: scale)
        guard exactDecode >= (rules.countsBelowZero ? -Self.farthestTick : 0) else { return .beforeStart }
        if packet.isKey, packet.track.kind == .video || isOnlySound, isNearEnd(packet, with: offset) {
            return .beginAnew
        }
        let decode = max(exactDecode, last[packet.track].map { $0 + 1 } ?? exactDecode)
        let presentation = max(start, decode)
        guard presentation <= lastTick else { return .beginAnew }
        guard !rules.rises || decode >= latest else { return .tooLate }
        (last[packet.track], latest) = (decode, max(latest, decode))
        let end = min((packet.endTime + offset).nearestTick(timescale: scale), Self.farthestTick)
        let duration = min(max(end, start) - start, Self.longestDuration)
        return .ticks(Ticks(presentation: presentation, decode: decode, duration: duration))
    }
}

extension MediaPacket {
    /// When the first sample is heard that was recorded, after the priming; of pictures the presentation time.
    fileprivate var heardTime: MediaTime {
        guard let format = format.audio else { return presentationTime }
        return presentationTime + format.duration(ofFrames: Int64(format.priming))
    }
}
