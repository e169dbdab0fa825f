// SPDX-License-Identifier: MIT

/// A codec's name in MIME types (RFC 6381): `avc1.64001F`, `hvc1.1.6.L93.B0`.
///
/// Read with ``init(_:)``, written as ``description``. A value whose fields are in their ranges is read back as
/// written; what is read is written in the one form that streams are named in here: upper-case digits, without zeros
/// that may be left out.
@nonexhaustive
public enum CodecString: Hashable, Sendable {
    /// H.264: the profile with its constraint flags, `level_idc` of 0...255, and whether parameter sets may also travel
    /// in the stream (`avc3`) or not (`avc1`).
    case h264(H264Profile, levelIdc: Int, isInBand: Bool = false)
    /// HEVC: the profile with its tier, compatibility and constraint flags, `general_level_idc` of 0...255, and whether
    /// parameter sets may also travel in the stream (`hev1`) or not (`hvc1`).
    case hevc(HEVCProfile, levelIdc: Int, isInBand: Bool = false)

    /// The standard that the stream is coded to.
    public var codec: VideoCodec {
        switch self {
        case .h264: .h264
        case .hevc: .hevc
        }
    }

    /// Whether parameter sets may also travel in the stream.
    public var isInBand: Bool {
        switch self {
        case .h264(_, _, let isInBand), .hevc(_, _, let isInBand): isInBand
        }
    }

    /// The four letters in front: `avc1`, `avc3`, `hvc1` or `hev1`.
    public var sampleEntry: String {
        switch codec {
        case .h264: isInBand ? "avc3" : "avc1"
        case .hevc: isInBand ? "hev1" : "hvc1"
        }
    }
}

extension CodecString: CustomStringConvertible {
    /// The name as it stands in a MIME type.
    public var description: String {
        switch self {
        case .h264(let profile, let levelIdc, _): Self.h264(sampleEntry, profile, levelIdc)
        case .hevc(let profile, let levelIdc, _): Self.hevc(sampleEntry, profile, levelIdc)
        }
    }
}

// MARK: - Writing

extension CodecString {
    /// A sample entry's name, and two hexadecimal digits each for profile, constraints and level (RFC 6381 3.3).
    static func h264(_ sampleEntry: String, _ profile: H264Profile, _ levelIdc: Int) -> String {
        // A field that is changed to what has no eight bits is refused where the set is written, not here.
        let bytes = [
            UInt8(truncatingIfNeeded: profile.profileIdc), profile.constraints.byte,
            UInt8(truncatingIfNeeded: levelIdc),
        ]
        return bytes.reduce(into: sampleEntry + ".") { string, byte in string += (byte < 16 ? "0" : "") + hex(byte) }
    }

    /// A sample entry's name, profile, compatibility flags in reverse bit order, tier and level, and the bytes of
    /// constraint flags without zeros at the end, with dots between them (ISO/IEC 14496-15 annex E).
    static func hevc(_ sampleEntry: String, _ profile: HEVCProfile, _ levelIdc: Int) -> String {
        let space = ["", "A", "B", "C"][profile.profileSpace & 3]
        var parts = [
            sampleEntry, space + String(profile.profileIdc), hex(profile.compatibilityFlags.bitsReversed),
            (profile.tierFlag ? "H" : "L") + String(levelIdc),
        ]
        var constraints = constraintBytes(of: profile)
        while constraints.last == 0 {
            constraints.removeLast()
        }
        parts += constraints.map { hex($0) }
        return parts.joined(separator: ".")
    }

    /// The six bytes from `general_progressive_source_flag` on; none when the profile cannot be coded.
    private static func constraintBytes(of profile: HEVCProfile) -> [UInt8] {
        var copy = profile
        var writer = SyntaxWriter()
        guard (try? copy.code(with: &writer, in: nil)) != nil else { return [] }
        return Array(writer.bytes[5..<11])
    }

    private static func hex(_ value: some FixedWidthInteger) -> String {
        String(value, radix: 16, uppercase: true)
    }
}

extension UInt32 {
    /// The bits in reverse order.
    var bitsReversed: UInt32 {
        (0..<32).reduce(0) { reversed, bit in reversed << 1 | self >> UInt32(bit) & 1 }
    }
}
