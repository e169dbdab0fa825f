// SPDX-License-Identifier: MIT

public import EncoderAPI

/// What one output left out, from the first packet it could not take until it had caught up.
public struct DropReport: Sendable, Hashable {
    /// Why packets were left out.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable {
        /// The peer takes less than is produced.
        case congestion
        /// There was no connection.
        case notConnected
    }

    /// Why packets were left out.
    public let reason: Reason
    /// Pictures that no other needs.
    public internal(set) var disposablePictures = 0
    /// Pictures that others are predicted from, and those that cannot be decoded without them.
    public internal(set) var otherPictures = 0
    /// Packets of sound.
    public internal(set) var soundPackets = 0
    /// Bytes of all of them.
    public internal(set) var byteCount = 0
    /// The earliest decode time among them.
    public internal(set) var start: MediaTime
    /// The latest decode time among them.
    public internal(set) var end: MediaTime

    /// A report of the first packet.
    init(_ reason: Reason, first packet: MediaPacket) {
        self.reason = reason
        start = packet.decodeTime
        end = packet.decodeTime
        add(packet)
    }

    /// Packets of any kind.
    public var packetCount: Int { disposablePictures + otherPictures + soundPackets }

    mutating func add(_ packet: MediaPacket) {
        switch packet.track.kind {
        case .audio: soundPackets += 1
        case .video where packet.isDisposable: disposablePictures += 1
        case .video: otherPictures += 1
        }
        byteCount += packet.byteCount
        start = min(start, packet.decodeTime)
        end = max(end, packet.decodeTime)
    }
}

extension DropReport: CustomStringConvertible {
    /// The counts and the span in words.
    public var description: String {
        func rounded(_ time: MediaTime) -> Double { (time.seconds * 1000).rounded() / 1000 }
        return "\(reason.rawValue): \(disposablePictures) disposable and \(otherPictures) other pictures, "
            + "\(soundPackets) packets of sound, \(byteCount) bytes, from \(rounded(start)) s on for \(rounded(end - start)) s"
    }
}
