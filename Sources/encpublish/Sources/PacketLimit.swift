// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing

/// Which of a container's packets belong to its first seconds.
struct PacketLimit: Sendable {
    /// Seconds after the first picture; nil for all.
    let duration: Double?
    private var first: MediaTime?

    init(duration: Double?) { self.duration = duration }

    /// Whether a packet is one of them.
    ///
    /// Pictures are told by their decode times, so that none that a later one needs is missing.
    mutating func takes(_ packet: MediaPacket) -> Bool {
        guard let duration else { return true }
        if packet.track.kind == .video, first == nil { first = packet.decodeTime }
        guard let first else { return true }
        return (packet.decodeTime - first).seconds < duration
    }
}
