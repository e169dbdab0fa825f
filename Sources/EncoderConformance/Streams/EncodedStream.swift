// SPDX-License-Identifier: MIT

public import EncoderAPI
import ParameterSets

/// What a decoder is given: the access units of one session in decode order.
public struct EncodedStream: Sendable {
    /// The standard they are coded to.
    public let codec: VideoCodec
    /// In decode order, dropped frames left out.
    public let accessUnits: [AccessUnit]

    /// Takes the access units out of encoded frames.
    public init(codec: VideoCodec, frames: some Sequence<EncodedFrame>) {
        self.codec = codec
        accessUnits = frames.compactMap(\.accessUnit)
    }

    /// The access units as any decoder reads them: Annex B, whatever the framing, with the parameter sets in front of
    /// the first and of each that changes them.
    public var annexBUnits: [[UInt8]] {
        var format: FormatDescription?
        return accessUnits.map { unit in
            var bytes = unit.format == format ? [] : unit.format.annexB
            format = unit.format
            bytes += AnnexB.join(unit.nalUnits.lazy.map { unit.data[$0] })
            return bytes
        }
    }
}

/// A decoder that is not the encoder's own; this module has none, so that it stays free of libraries.
public protocol ReferenceDecoder: Sendable {
    /// Decodes a whole stream.
    ///
    /// - Parameter stream: Starts with a sync frame.
    /// - Returns: The pictures in display order, cropped as the stream says.
    /// - Throws: Whatever tells that the stream cannot be decoded.
    func decode(_ stream: EncodedStream) async throws -> [PixelBuffer]
}
