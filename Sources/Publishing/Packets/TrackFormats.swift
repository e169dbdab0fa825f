// SPDX-License-Identifier: MIT

/// The format of each track's last packet.
struct TrackFormats: Sendable {
    private(set) var table: TrackTable<TrackFormat>
    /// Identities of the formats: to compare them counts no reference, which threads that count those of one object
    /// wait for.
    private var identities: TrackTable<ObjectIdentifier>

    /// Keeps the formats that are known before the first packets.
    init(_ formats: [TrackID: TrackFormat]) {
        table = TrackTable(formats.map { ($0.key, $0.value) })
        identities = TrackTable(formats.map { ($0.key, $0.value.identity) })
    }

    /// Takes notice of packets, in order.
    ///
    /// - Returns: Whether the table is another than before.
    mutating func note(_ packets: [MediaPacket]) -> Bool {
        var isNew = false
        for packet in packets where identities[packet.track] != packet.formatIdentity {
            // The table holds the format, so that no other one gets its identity.
            identities[packet.track] = packet.formatIdentity
            table[packet.track] = packet.format
            isNew = true
        }
        return isNew
    }
}
