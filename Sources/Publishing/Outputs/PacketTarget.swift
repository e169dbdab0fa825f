// SPDX-License-Identifier: MIT

/// Takes packets as they are, where no container is written: one connection, or all viewers of a server.
///
/// Used by one thread at a time, which it may block.
package protocol PacketTarget: AnyObject {
    /// Bytes that were handed on so far, to all peers together.
    var byteCount: Int { get }

    /// Takes a packet.
    ///
    /// - Parameter packet: In the broadcast's time and order.
    /// - Returns: Whether somebody waits for a key frame to begin with.
    /// - Throws: ``PublishingError``; the output is over then, or begins anew where that may pass.
    func write(_ packet: MediaPacket) throws(PublishingError) -> Bool

    /// Ends what was taken, or gives it up.
    ///
    /// - Parameter isComplete: Whether all packets were given.
    /// - Throws: ``PublishingError`` where some of them may be lost.
    func close(isComplete: Bool) throws(PublishingError)
}

/// Where an output gives its packets as they are; other libraries of this package make it.
public struct PacketPlace: Sendable {
    /// Opens the place, on the output's thread, for the tracks that packets will come of, with the output's options.
    package typealias Opening =
        @Sendable ([TrackID], ConnectionOptions, Deadline) throws(PublishingError) -> any PacketTarget

    /// Whether it is a connection, which begins with a key frame; else it is there from the start, and what it gives to
    /// whom is its own affair.
    package let isConnection: Bool
    /// Whether packets of sound are given too.
    package let takesSound: Bool
    package let open: Opening

    /// Makes a place.
    package init(isConnection: Bool, takesSound: Bool = true, open: @escaping Opening) {
        (self.isConnection, self.takesSound, self.open) = (isConnection, takesSound, open)
    }
}
