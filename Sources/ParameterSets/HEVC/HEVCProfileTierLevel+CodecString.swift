// SPDX-License-Identifier: MIT

extension HEVCProfileTierLevel {
    /// The codec's name in MIME types (ISO/IEC 14496-15 annex E), such as `hvc1.1.6.L93.B0`.
    ///
    /// - Parameter sampleEntry: `hvc1`, or `hev1` where parameter sets also travel in the stream.
    /// - Returns: Entry, profile, compatibility flags in reverse bit order, tier and level, and the bytes of constraint
    ///   flags without zeros at the end, with dots between them.
    public func codecString(sampleEntry: String = "hvc1") -> String {
        let space = ["", "A", "B", "C"][profile.profileSpace & 3]
        var flags = profile.compatibilityFlags
        var reversed: UInt32 = 0
        for _ in 0..<32 {
            reversed = reversed << 1 | flags & 1
            flags >>= 1
        }
        var parts = [
            sampleEntry, space + String(profile.profileIdc), Self.hex(reversed),
            (profile.tierFlag ? "H" : "L") + String(levelIdc),
        ]
        var constraints = constraintBytes
        while constraints.last == 0 {
            constraints.removeLast()
        }
        parts += constraints.map { Self.hex(UInt32($0)) }
        return parts.joined(separator: ".")
    }

    /// The six bytes from `general_progressive_source_flag` on; zeros when the profile cannot be coded.
    private var constraintBytes: [UInt8] {
        var copy = profile
        var writer = SyntaxWriter()
        guard (try? copy.code(with: &writer, in: nil)) != nil else { return [] }
        return Array(writer.bytes[5..<11])
    }

    private static func hex(_ value: UInt32) -> String {
        String(value, radix: 16, uppercase: true)
    }
}
