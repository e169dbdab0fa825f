// SPDX-License-Identifier: MIT

import ParameterSets

/// What a decoder or muxer must know before the first picture: codec, sizes and parameter sets.
///
/// The counterpart of CMVideoFormatDescription. A session shares one value between all frames it is valid for; when the
/// parameter sets change, as the answer to a call said, the frame that starts with them carries a new one.
public struct FormatDescription: Sendable {
    private let storage: Storage

    private final class Storage: Sendable {
        let codec: VideoCodec
        let parameterSets: [[UInt8]]
        let width: Int
        let height: Int
        let nalUnitLengthSize: Int
        let parsed: ParsedParameterSets

        init(
            _ codec: VideoCodec, _ parameterSets: [[UInt8]], width: Int?, height: Int?, nalUnitLengthSize: Int,
            _ parsed: ParsedParameterSets
        ) {
            (self.codec, self.parameterSets, self.parsed) = (codec, parameterSets, parsed)
            self.width = width ?? parsed.display.width
            self.height = height ?? parsed.display.height
            self.nalUnitLengthSize = nalUnitLengthSize
        }
    }
}

extension FormatDescription {
    /// Describes a format by its parameter sets, as CMVideoFormatDescriptionCreateFromH264ParameterSets does.
    ///
    /// - Parameters:
    ///   - codec: The standard they belong to.
    ///   - parameterSets: VPS (HEVC), SPS and PPS NAL units in that order, at least one of each, without start codes or
    ///     lengths.
    ///   - width: Luma samples in a row of the picture; nil for what the SPS shows.
    ///   - height: Luma rows of the picture; nil for what the SPS shows.
    ///   - nalUnitLengthSize: Bytes of the length field: 1, 2 or 4.
    ///   - areInBand: Whether the stream carries the sets as well (`avc3`, `hev1`).
    /// - Throws: ``EncoderError`` with `.invalidValue` when the sets cannot be read or are incomplete.
    public init(
        codec: VideoCodec, parameterSets: [[UInt8]], width: Int? = nil, height: Int? = nil, nalUnitLengthSize: Int = 4,
        areInBand: Bool = false
    ) throws(EncoderError) {
        let parsed = try ParsedParameterSets(
            codec: codec, parameterSets: parameterSets, nalUnitLengthSize: nalUnitLengthSize, areInBand: areInBand)
        storage = Storage(
            codec, parameterSets, width: width, height: height, nalUnitLengthSize: nalUnitLengthSize, parsed)
    }
}

// MARK: - Reading

extension FormatDescription {
    /// The standard the pictures are coded to.
    public var codec: VideoCodec { storage.codec }

    /// VPS, SPS and PPS NAL units in that order, header and emulation prevention included, no start code or length.
    public var parameterSets: [[UInt8]] { storage.parameterSets }

    /// Luma samples in a row of the picture as it was given.
    ///
    /// May be odd; a stream crops 4:2:0 pictures in steps of two only, so decoders show ``shownWidth``.
    public var width: Int { storage.width }

    /// Luma rows of the picture as it was given; see ``width``.
    public var height: Int { storage.height }

    /// Luma samples in a row that decoders show: what the SPS leaves of ``codedWidth``.
    public var shownWidth: Int { storage.parsed.display.width }

    /// Luma rows that decoders show; see ``shownWidth``.
    public var shownHeight: Int { storage.parsed.display.height }

    /// Luma samples in a row that are coded.
    public var codedWidth: Int { storage.parsed.coded.width }

    /// Luma rows that are coded.
    public var codedHeight: Int { storage.parsed.coded.height }

    /// Bytes of the length field that ``configurationRecord`` announces: 1, 2 or 4.
    public var nalUnitLengthSize: Int { storage.nalUnitLengthSize }

    /// The avcC or hvcC record (ISO/IEC 14496-15) for MP4, Matroska and FLV.
    public var configurationRecord: [UInt8] { storage.parsed.configurationRecord }

    /// The codec parameter of RFC 6381, such as "avc1.64001F" or "hvc1.1.6.L93.B0".
    public var codecString: String { storage.parsed.codecString }

    /// All parameter sets as one Annex B byte string with four-byte start codes.
    public var annexB: [UInt8] { AnnexB.join(parameterSets) }
}

extension FormatDescription: Hashable {
    /// Whether both describe the same format; cheap for frames of one session.
    public static func == (left: FormatDescription, right: FormatDescription) -> Bool {
        left.storage === right.storage
            || (left.codec == right.codec && left.parameterSets == right.parameterSets && left.width == right.width
                && left.height == right.height && left.nalUnitLengthSize == right.nalUnitLengthSize)
    }

    /// The same of values that share their memory; others may be equal all the same.
    package var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(codec)
        hasher.combine(parameterSets)
        hasher.combine(width)
        hasher.combine(height)
        hasher.combine(nalUnitLengthSize)
    }
}

extension FormatDescription: CustomStringConvertible {
    /// Codec string, size and parameter sets in words: "avc1.64001F 1280x720, 2 parameter sets of 31 bytes".
    public var description: String {
        let count = parameterSets.reduce(0) { $0 + $1.count }
        return "\(codecString) \(width)x\(height), \(parameterSets.count) parameter sets of \(count) bytes"
    }
}
