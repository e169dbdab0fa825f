// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Which output of a broadcast.
public struct OutputID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// From 1 on, in the order in which they were added.
    public let number: Int

    /// The order in which they were added.
    public static func < (left: OutputID, right: OutputID) -> Bool { left.number < right.number }

    /// "output 1".
    public var description: String { "output \(number)" }
}

/// What happens in a broadcast.
@nonexhaustive
public enum BroadcastEvent: Sendable {
    /// An output came to another state.
    case state(OutputID, name: String, PublishState)
    /// An output left packets out; told when it had caught up, or ended.
    case dropped(OutputID, name: String, DropReport)
    /// An output goes on in another file: the format changed, and its container holds one, or the container's times
    /// come to their end.
    case newFile(OutputID, path: String)
    /// The source's clock of a track went back, and goes on as told.
    case rebased(TrackID, from: MediaTime, to: MediaTime)
    /// Packets of sound in a row were left out, before the first picture; told when sound goes on, or when the
    /// broadcast is finished.
    case soundLeftOut(TrackID, packetCount: Int)
    /// Sound has waited so long for the first picture that its oldest packets are left out from now on.
    case pictureMissing(waited: MediaTime)
}

/// What an output has done so far.
public struct OutputStatistics: Sendable, Hashable {
    /// What it is called.
    public internal(set) var name: String
    /// Where it stands.
    public internal(set) var state = PublishState.idle
    /// Packets it was given; of a file or folder those from its beginning on.
    ///
    /// When the output is over, each was written, left out or dropped.
    public internal(set) var givenPackets = 0
    /// Packets that the container took.
    ///
    /// The container, and for a while the output, keep some of them back. They are in the file where the output has
    /// ended; where it failed, what had been collected and not been handed to the system is not: of a folder a segment,
    /// of fragmented MP4 a fragment, of any other file what is written at once. ``byteCount`` counts what the system
    /// took.
    public internal(set) var writtenPackets = 0
    /// Packets that no ``DropReport`` counts and no container has.
    ///
    /// They lie before the start of a container that counts from zero, belong to a track whose format was not known
    /// when the container was begun, are of sound whose format changed and which waited for the key frame that another
    /// container begins with, come to ASF behind what is decoded later, or were still to be written when a file or
    /// folder failed or was given up; of a connection or a closure that is over, also the one that it had taken and not
    /// begun to write.
    public internal(set) var leftOutPackets = 0
    /// Packets that were dropped, in all reports so far.
    public internal(set) var droppedPackets = 0
    /// Bytes that the system, the peer or the closure took, headers included; of a file those that are in it.
    public internal(set) var byteCount = 0
    /// Media time that waits.
    public internal(set) var queueAge = MediaTime.zero
    /// Bytes that wait.
    public internal(set) var queueBytes = 0
    /// Times that a file or connection was opened.
    public internal(set) var openings = 0
    /// The last failure; nil where there was none.
    public internal(set) var lastError: PublishingError?

    init(name: String) { self.name = name }
}
