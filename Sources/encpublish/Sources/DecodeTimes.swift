// SPDX-License-Identifier: MIT

import DequeModule
import EncoderAPI
import Publishing

/// The decode times of a copy: those that the container states, or where it states none, those that follow from the
/// presentation times, which never change.
///
/// A picture of a stream that reorders by N pictures is decoded when the picture N earlier in decode order would be
/// shown if pictures were shown in decode order. The first N have times before that, at the pace of the first pictures.
struct DecodeTimes: Sendable {
    /// Why a picture has no decode time.
    struct Refusal: Error, Hashable {
        /// A sentence with the times.
        let reason: String
    }

    /// How many pictures precede another in decode order and are shown after it, at most.
    private let depth: Int
    private var isStated: Bool
    private var hasBegun = false
    /// The first pictures, while there are no more than ``depth``.
    private var held: [MediaPacket] = []
    /// The presentation times of pictures whose place in decode order is still to be given away, in rising order.
    private var shown: [MediaTime] = []
    private var last: MediaTime?

    /// Makes times for a stream.
    ///
    /// - Parameters:
    ///   - depth: How many pictures precede another in decode order and are shown after it, at most; 0 or more.
    ///   - isStated: Whether the container states decode times.
    init(depth: Int, isStated: Bool) {
        self.depth = depth
        self.isStated = isStated
    }

    /// Gives a picture its decode time; where it is derived, the first pictures wait inside.
    ///
    /// - Parameters:
    ///   - picture: The picture, with any decode time; in decode order.
    ///   - stated: The container's decode time; nil for none.
    ///   - ready: Gets the pictures that can go on, in decode order.
    /// - Throws: ``Refusal`` for a stated time that is missing or later than the picture is shown, and for a picture
    ///   before which more come than the depth.
    mutating func place(
        _ picture: MediaPacket, stated: MediaTime?, into ready: inout Deque<MediaPacket>
    ) throws(Refusal) {
        if last == nil, held.isEmpty, stated == nil { isStated = false }
        guard isStated else { return ready += try derive(picture) }
        guard let stated, stated <= picture.presentationTime else {
            let found = stated.map { "is decoded at \($0)" } ?? "has no decode time"
            throw Refusal(
                reason: "the picture shown at \(picture.presentationTime) \(found), expected that time or earlier")
        }
        last = stated
        ready.append(picture.decoded(at: stated))
    }

    /// What still waits, at the end of the stream.
    mutating func finish() -> [MediaPacket] {
        let pictures = start()
        hasBegun = true
        return pictures
    }

    private mutating func derive(_ picture: MediaPacket) throws(Refusal) -> [MediaPacket] {
        var ready: [MediaPacket] = []
        if let last, picture.presentationTime <= last {
            guard picture.isKey else {
                throw Refusal(
                    reason: "the picture shown at \(picture.presentationTime) comes after one decoded at \(last): more "
                        + "than the \(depth) that the stream states precede it and are shown later")
            }
            // The source counts anew.
            ready = start()
            (shown, hasBegun, self.last) = ([], false, nil)
        }
        shown.insert(picture.presentationTime, at: shown.firstIndex { $0 > picture.presentationTime } ?? shown.endIndex)
        guard hasBegun else {
            held.append(picture)
            return held.count > depth ? ready + start() : ready
        }
        let time = shown.removeFirst()
        last = time
        return [picture.decoded(at: time)]
    }

    /// The pictures that wait, of which the last is decoded when the first is shown.
    private mutating func start() -> [MediaPacket] {
        guard let first = shown.first, let picture = held.first else { return [] }
        let gaps = zip(shown.dropFirst(), shown).map { $0 - $1 } + [picture.duration].compactMap(\.self)
        let step = gaps.filter { $0 > .zero }.min() ?? MediaTime(value: 1, timescale: 1000)
        var (time, pictures) = (first, held)
        for index in pictures.indices.reversed() {
            pictures[index].decodeTime = time
            time = time - step
        }
        shown.removeFirst()
        (held, hasBegun, last) = ([], true, first)
        return pictures
    }
}

extension MediaPacket {
    fileprivate func decoded(at time: MediaTime) -> MediaPacket {
        var packet = self
        packet.decodeTime = time
        return packet
    }
}
