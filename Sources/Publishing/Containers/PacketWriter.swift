// SPDX-License-Identifier: MIT

/// Writes packets in the form of one container.
protocol PacketWriter: AnyObject {
    /// Ticks per second of a track, by its number among those the container holds.
    func timescale(_ track: Int) -> Int32

    /// Writes a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - ticks: When it is decoded and shown.
    ///   - track: Its track's number.
    ///   - isFormatNew: Whether its format differs from that of the track's packet before.
    /// - Throws: ``PublishingError`` where the container or the target refused it.
    func write(
        _ packet: MediaPacket, _ ticks: ContainerClock.Ticks, track: Int, isFormatNew: Bool
    ) throws(PublishingError)

    /// Gives the target what is kept back for speed, where that may be.
    func settle() throws(PublishingError)

    /// Writes what comes at the end.
    func finish() throws(PublishingError)
}

extension PacketWriter {
    func settle() throws(PublishingError) {}
}
