// SPDX-License-Identifier: MIT

/// The variable-length codes ue(v) and se(v) (H.264 and HEVC 9.1 and 9.1.1 / 9.2).
public enum ExpGolomb {
    /// What an ue(v) field of either standard can hold.
    public static let unsignedRange = 0...4_294_967_294
    /// What an se(v) field of either standard can hold.
    public static let signedRange = -2_147_483_647...2_147_483_647

    /// Maps an unsigned code number to the signed value that it stands for: 0, 1, -1, 2, -2, ...
    @usableFromInline
    static func signed(_ codeNumber: UInt64) -> Int {
        let magnitude = Int((codeNumber + 1) / 2)
        return codeNumber % 2 == 0 ? -magnitude : magnitude
    }

    /// Maps a signed value to its unsigned code number.
    @usableFromInline
    static func codeNumber(_ value: Int) -> UInt64 {
        value > 0 ? UInt64(value) * 2 - 1 : UInt64(value.magnitude) * 2
    }
}

extension BitReader {
    /// Reads one ue(v) code; a prefix of 32 zeros gives up to 8 589 934 590, so check the field's range.
    public mutating func readExpGolomb() throws(Failure) -> UInt64 {
        let zeros = try leadingZeros()
        guard remaining >= 2 * zeros + 1 else { throw .endOfData }
        skip(zeros)
        return try read(zeros + 1) - 1
    }
}

extension BitWriter {
    /// Appends `value`, at most 8 589 934 590, as one ue(v) code.
    public mutating func writeExpGolomb(_ value: UInt64) {
        precondition(value < 1 << 33 - 1, "\(value) has no code")
        let length = 64 - (value + 1).leadingZeroBitCount
        write(0, count: length - 1)
        write(value + 1, count: length)
    }
}
