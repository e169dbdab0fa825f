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
        let codedWidth: Int
        let codedHeight: Int
        let shownWidth: Int
        let shownHeight: Int
        let nalUnitLengthSize: Int
        let configurationRecord: [UInt8]
        let codecString: String

        init(
            codec: VideoCodec, parameterSets: [[UInt8]], width: Int, height: Int, codedWidth: Int, codedHeight: Int,
            shownWidth: Int, shownHeight: Int, nalUnitLengthSize: Int, configurationRecord: [UInt8], codecString: String
        ) {
            self.codec = codec
            self.parameterSets = parameterSets
            self.width = width
            self.height = height
            self.codedWidth = codedWidth
            self.codedHeight = codedHeight
            self.shownWidth = shownWidth
            self.shownHeight = shownHeight
            self.nalUnitLengthSize = nalUnitLengthSize
            self.configurationRecord = configurationRecord
            self.codecString = codecString
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
            codec: codec, parameterSets: parameterSets, width: width ?? parsed.display.width,
            height: height ?? parsed.display.height, codedWidth: parsed.coded.width, codedHeight: parsed.coded.height,
            shownWidth: parsed.display.width, shownHeight: parsed.display.height,
            nalUnitLengthSize: nalUnitLengthSize, configurationRecord: parsed.configurationRecord,
            codecString: parsed.codecString)
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
    public var shownWidth: Int { storage.shownWidth }

    /// Luma rows that decoders show; see ``shownWidth``.
    public var shownHeight: Int { storage.shownHeight }

    /// Luma samples in a row that are coded.
    public var codedWidth: Int { storage.codedWidth }

    /// Luma rows that are coded.
    public var codedHeight: Int { storage.codedHeight }

    /// Bytes of the length field that ``configurationRecord`` announces: 1, 2 or 4.
    public var nalUnitLengthSize: Int { storage.nalUnitLengthSize }

    /// The avcC or hvcC record (ISO/IEC 14496-15) for MP4, Matroska and FLV.
    public var configurationRecord: [UInt8] { storage.configurationRecord }

    /// The codec parameter of RFC 6381, such as "avc1.64001F" or "hvc1.1.6.L93.B0".
    public var codecString: String { storage.codecString }

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
