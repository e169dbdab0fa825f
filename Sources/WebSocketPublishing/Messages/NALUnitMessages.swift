// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV
import ParameterSets
public import Publishing

/// Pictures as one NAL unit a message, each behind a start code: what servers take that write all messages into one
/// byte stream, as to the standard input of ffmpeg.
///
/// No time travels with them, and no sound. A pure value.
public struct NALUnitMessages: Sendable {
    /// Whether nothing was sent: what comes before the first key frame is left out.
    private var isBeforeKey = true
    private var format: TrackFormat?

    /// Makes one that has sent nothing.
    public init() {}

    /// The messages of a packet: before a key frame, and where the format has changed, those of the parameter sets.
    ///
    /// - Parameter packet: The packet; of one track of pictures.
    /// - Returns: The messages in order; none for sound, and for pictures before the first key frame.
    public mutating func messages(of packet: MediaPacket) -> [[UInt8]] {
        guard let description = packet.format.video else { return [] }
        guard packet.isKey || !isBeforeKey else { return [] }
        let isNew = format != packet.format
        (isBeforeKey, format) = (false, packet.format)
        let framing = AccessUnitFraming(description, data: packet.bytes, nalUnits: packet.nalUnits)
        let stream = framing.annexB(carryingSets: packet.isKey || isNew)
        return AnnexB.nalUnitRanges(in: stream).map { AnnexB.startCode + stream[$0] }
    }
}
