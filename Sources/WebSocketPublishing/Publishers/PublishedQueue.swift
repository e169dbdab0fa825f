// SPDX-License-Identifier: MIT

import DequeModule
import Publishing

/// Packets of a publisher that wait to be taken, and when the connection is to be read no further: a pure value.
///
/// Nothing is left out: what does not fit waits at the publisher.
struct PublishedQueue: Sendable {
    private let limit: Int
    private var packets: Deque<MediaPacket> = []
    private(set) var byteCount = 0
    /// Whether the publisher's connection is not read from.
    private(set) var isPaused = false
    /// How the publisher ended; nil as long as more may come.
    private(set) var ending: Result<Void, PublishingError>?

    /// Makes an empty queue.
    ///
    /// - Parameter limit: Bytes that may wait before the connection is read no further.
    init(limit: Int) { self.limit = limit }

    /// Takes a packet.
    ///
    /// - Returns: Whether reading is to pause.
    mutating func push(_ packet: MediaPacket) -> Bool {
        packets.append(packet)
        byteCount += packet.byteCount
        guard !isPaused, byteCount > limit else { return false }
        isPaused = true
        return true
    }

    /// Gives the oldest packet.
    ///
    /// - Returns: The packet, and whether reading is to go on; nil where none waits.
    mutating func pop() -> (packet: MediaPacket, resumes: Bool)? {
        guard let packet = packets.popFirst() else { return nil }
        byteCount -= packet.byteCount
        guard isPaused, byteCount <= limit / 2 else { return (packet, false) }
        isPaused = false
        return (packet, true)
    }

    /// Takes notice of the end; the first one counts.
    mutating func end(_ result: Result<Void, PublishingError>) { ending = ending ?? result }
}
