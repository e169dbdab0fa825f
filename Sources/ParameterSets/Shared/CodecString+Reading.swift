// SPDX-License-Identifier: MIT

extension CodecString {
    /// Reads a codec's name.
    ///
    /// Hexadecimal digits may have either case. Of HEVC, the compatibility flags may begin with zeros, up to eight
    /// digits, a byte of constraint flags with one, and bytes of zero may stand at the end, up to six. All else must be
    /// as the standards have it: sample entry, letters of profile space and tier in their case, decimal numbers without
    /// zeros in front.
    ///
    /// - Parameter text: One name, such as `avc1.64001F`; not the list of a `codecs` parameter.
    /// - Throws: ``ParameterSetError`` that names the element: `.unsupported` for another sample entry than `avc1`,
    ///   `avc3`, `hvc1` and `hev1`, `.endOfData` and `.trailingData` for elements that are missing or too many,
    ///   `.outOfRange` for one with another value or form than it may have.
    public init(_ text: some StringProtocol) throws(ParameterSetError) {
        // The longest name has 40 bytes, so that a longer text shows in these to be none.
        let parts = text.utf8.prefix(64).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { Element(bytes: Array($0)) }
        switch parts[0].text {
        case "avc1": self = try Self.h264(parts, isInBand: false)
        case "avc3": self = try Self.h264(parts, isInBand: true)
        case "hvc1": self = try Self.hevc(parts, isInBand: false)
        case "hev1": self = try Self.hevc(parts, isInBand: true)
        default:
            throw ParameterSetError(
                .unsupported, field: "sample entry", reason: "is \(parts[0]), expected avc1, avc3, hvc1 or hev1")
        }
    }

    private static func h264(_ parts: [Element], isInBand: Bool) throws(ParameterSetError) -> Self {
        try check(parts, 2...2)
        let value = try parts[1].hexadecimal("profile_idc, constraint flags and level_idc", digits: 6...6)
        let constraints = H264Constraints(byte: UInt8(value >> 8 & 0xFF))
        return .h264(
            H264Profile(profileIdc: Int(value >> 16), constraints: constraints), levelIdc: Int(value & 0xFF),
            isInBand: isInBand)
    }

    private static func hevc(_ parts: [Element], isInBand: Bool) throws(ParameterSetError) -> Self {
        try check(parts, 4...10)
        let space = parts[1].letter(of: "ABC").map { $0 + 1 } ?? 0
        let profileIdc = try parts[1].decimal("general_profile_idc", after: space > 0 ? 1 : 0, in: 0...31)
        let flags = try parts[2].hexadecimal("general_profile_compatibility_flag", digits: 1...8).bitsReversed
        guard let tier = parts[3].letter(of: "LH") else {
            throw parts[3].error("general_tier_flag", "L or H in front")
        }
        let levelIdc = try parts[3].decimal("general_level_idc", after: 1, in: 0...255)
        var bytes = [UInt8(space << 6 | tier << 5 | profileIdc)]
        bytes += [24, 16, 8, 0].map { UInt8(flags >> UInt32($0) & 0xFF) }
        for part in parts[4...] { bytes.append(UInt8(try part.hexadecimal("constraint flags", digits: 1...2))) }
        bytes += [UInt8](repeating: 0, count: 11 - bytes.count)
        var (profile, reader) = (HEVCProfile(), SyntaxReader(bytes))
        try profile.code(with: &reader, in: nil)
        return .hevc(profile, levelIdc: levelIdc, isInBand: isInBand)
    }

    private static func check(_ parts: [Element], _ legal: ClosedRange<Int>) throws(ParameterSetError) {
        guard !legal.contains(parts.count) else { return }
        let range = legal.count == 1 ? "\(legal.lowerBound)" : "\(legal.lowerBound)...\(legal.upperBound)"
        throw ParameterSetError(
            parts.count < legal.lowerBound ? .endOfData : .trailingData,
            reason: "\(parts.count) elements with dots between them, expected \(range) for \(parts[0].text)")
    }
}

/// What stands between two dots.
private struct Element: CustomStringConvertible {
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text in quotation marks, what cannot be printed escaped.
    var description: String { text.debugDescription }

    /// The place in `letters` of the first byte; nil where it is none of them.
    func letter(of letters: String) -> Int? {
        bytes.first.flatMap { first in Array(letters.utf8).firstIndex(of: first) }
    }

    func hexadecimal(_ field: String, digits: ClosedRange<Int>) throws(ParameterSetError) -> UInt32 {
        let values = bytes.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count == bytes.count, digits.contains(bytes.count) else {
            let range = digits.count == 1 ? "\(digits.lowerBound)" : "\(digits.lowerBound) to \(digits.upperBound)"
            throw error(field, "\(range) hexadecimal digits")
        }
        return values.reduce(0) { $0 << 4 | UInt32($1) }
    }

    /// The number behind so many bytes.
    func decimal(
        _ field: String, after count: Int, in legal: ClosedRange<Int>
    ) throws(ParameterSetError) -> Int {
        let digits = bytes.dropFirst(count)
        let isPlain =
            (1...3).contains(digits.count) && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
        let value = digits.reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 }
        guard isPlain, legal.contains(value) else {
            throw error(field, "\(legal.lowerBound)...\(legal.upperBound) in decimal")
        }
        return value
    }

    func error(_ field: String, _ expected: String) -> ParameterSetError {
        ParameterSetError(.outOfRange, field: field, reason: "is \(self), expected \(expected)")
    }
}
