// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderAPI
import LibAV
public import Publishing

/// Makes the binary messages of packets: a header, and behind it the format of a track or a frame.
///
/// A pure value without state: what one viewer has been told of formats is the affair of its ``ViewerQueue``.
public struct MessageWriter: Sendable {
    /// By how much players turn the pictures clockwise, in degrees: 0, 90, 180 or 270.
    public let rotation: Int

    /// Makes a writer.
    ///
    /// - Parameter rotation: By how much players turn the pictures clockwise, in degrees: 0, 90, 180 or 270; 0 by
    ///   default.
    /// - Throws: `PublishingError` with `.invalidValue` for another rotation.
    public init(rotation: Int = 0) throws(PublishingError) {
        guard [0, 90, 180, 270].contains(rotation) else {
            throw PublishingError(.invalidValue, reason: "rotation \(rotation), expected 0, 90, 180 or 270")
        }
        self.rotation = rotation
    }

    /// The message with the format of a packet, which goes before the packet's own.
    ///
    /// - Parameter packet: The first that is coded with the format.
    /// - Returns: All bytes of the message.
    /// - Throws: `PublishingError` with `.unsupported` for a track above 127, a picture with a side above 65,535, and
    ///   anything else that has no room in the message, such as a record of more than 65,535 bytes.
    public func format(of packet: MediaPacket) throws(PublishingError) -> [UInt8] {
        guard var message = FormatMessage(packet.format) else {
            throw PublishingError(
                .unsupported, reason: "\(packet.format) over WebSocket, expected sides of 65535 samples or fewer")
        }
        var writer = try header(.format, of: packet)
        try Self.writing { () throws(SyntaxError) in try message.code(with: &writer, in: ()) }
        return writer.finish()
    }

    /// The message with a packet: an access unit with its NAL units behind lengths, or a packet of sound.
    ///
    /// Parameter sets that the format has are left out of the access unit.
    ///
    /// - Parameter packet: The packet.
    /// - Returns: All bytes of the message.
    /// - Throws: `PublishingError` with `.unsupported` for a track above 127, and for a NAL unit that is too long for
    ///   the length that the format states.
    public func frame(of packet: MediaPacket) throws(PublishingError) -> [UInt8] {
        let bytes: PacketBytes
        if let format = packet.format.video {
            let framing = AccessUnitFraming(format, data: packet.bytes, nalUnits: packet.nalUnits)
            do throws(LibAVError) {
                bytes = try framing.lengthPrefixed()
            } catch {
                throw PublishingError(.unsupported, reason: error.reason)
            }
        } else {
            bytes = packet.bytes
        }
        let head = try header(.frame, of: packet).finish()
        return [UInt8](unsafeUninitializedCapacity: head.count + bytes.count) { target, count in
            count = head.count + bytes.count
            _ = target.initialize(fromContentsOf: head)
            bytes.withSpan { span in
                span.withUnsafeBufferPointer { source in
                    _ = UnsafeMutableBufferPointer(rebasing: target[head.count..<count])
                        .initialize(fromContentsOf: source)
                }
            }
        }
    }

    /// The message which says that no more frames come of a track.
    ///
    /// - Parameter track: The track; nobody is told of one whose number is above 127.
    /// - Returns: All bytes of the message; none for such a track.
    public func end(of track: TrackID) -> [UInt8] {
        var (header, writer) = (MessageHeader(), SyntaxWriter())
        (header.kind, header.track, header.timescale) = (.end, track, 1)
        guard (try? header.code(with: &writer, in: ())) != nil else { return [] }
        return writer.finish()
    }

    private func header(
        _ kind: MessageHeader.Kind, of packet: MediaPacket
    ) throws(PublishingError) -> SyntaxWriter {
        var header = MessageHeader(kind, of: packet, rotation: rotation)
        var writer = SyntaxWriter()
        try Self.writing { () throws(SyntaxError) in try header.code(with: &writer, in: ()) }
        return writer
    }

    private static func writing(_ body: () throws(SyntaxError) -> Void) throws(PublishingError) {
        do throws(SyntaxError) {
            try body()
        } catch {
            throw PublishingError(.unsupported, reason: "a packet over WebSocket: \(error)")
        }
    }
}
