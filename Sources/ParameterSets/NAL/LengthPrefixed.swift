// SPDX-License-Identifier: MIT

/// NAL units each behind its length, as in MP4, Matroska and FLV (ISO/IEC 14496-15 clause 5.3.3).
public enum LengthPrefixed {
    /// The sizes a length field can have, in bytes.
    public static let sizes = [1, 2, 4]

    /// Finds the NAL units of one sample; units of length zero are passed over.
    ///
    /// - Returns: All whole units, as offsets from the first byte, and the error that ends them if the lengths do not
    ///   add up: ``ParameterSetError`` with `.badLength` and `length` when a length field is cut off or claims more
    ///   than there is, `.outOfRange` when `lengthSize` is not 1, 2 or 4.
    public static func scan(
        _ bytes: some ByteView & ~Escapable, lengthSize: Int
    ) -> (ranges: [Range<Int>], error: ParameterSetError?) {
        bytes.withSpan { scan($0, lengthSize: lengthSize) }
    }

    private static func scan(
        _ bytes: Span<UInt8>, lengthSize: Int
    ) -> (ranges: [Range<Int>], error: ParameterSetError?) {
        var ranges: [Range<Int>] = []
        do {
            try check(lengthSize: lengthSize)
            var offset = 0
            while offset < bytes.count {
                let unit = try unit(in: bytes, behindLengthAt: offset, lengthSize)
                if !unit.isEmpty {
                    ranges.append(unit)
                }
                offset = unit.upperBound
            }
            return (ranges, nil)
        } catch {
            return (ranges, error)
        }
    }

    private static func unit(
        in bytes: Span<UInt8>, behindLengthAt offset: Int, _ lengthSize: Int
    ) throws(ParameterSetError) -> Range<Int> {
        let start = offset + lengthSize
        guard start <= bytes.count else {
            throw mismatch(in: bytes, at: offset, lengthSize, claimed: nil, remaining: bytes.count - offset)
        }
        let length = length(in: bytes, at: offset, size: lengthSize)
        guard length <= bytes.count - start else {
            throw mismatch(in: bytes, at: offset, lengthSize, claimed: length, remaining: bytes.count - start)
        }
        return start..<start + length
    }

    /// The number in a length field.
    static func length(in bytes: Span<UInt8>, at offset: Int, size: Int) -> Int {
        var length = 0
        for index in offset..<offset + size {
            length = length << 8 | Int(bytes[index])
        }
        return length
    }

    private static func mismatch(
        in bytes: Span<UInt8>, at offset: Int, _ lengthSize: Int, claimed: Int?, remaining: Int
    ) -> ParameterSetError {
        var reason =
            if let claimed {
                "the length at byte \(offset) is \(claimed), but \(remaining) bytes remain"
            } else {
                "\(remaining) bytes remain at byte \(offset), too few for a length"
            }
        // 0 0 1 may begin a length of four bytes.
        if let code = FramingMistakes.startCodeLength(of: bytes), code == 4 || lengthSize < 4 {
            reason += "; the bytes begin with a start code, as a byte stream does"
        }
        return ParameterSetError(
            .badLength, bitOffset: offset * 8, reason: reason,
            length: .init(offset: offset, claimed: claimed, remaining: remaining))
    }

    /// Finds the NAL units of one sample; units of length zero are passed over.
    ///
    /// - Parameters:
    ///   - bytes: The sample.
    ///   - lengthSize: How many bytes each length takes: 1, 2 or 4.
    /// - Returns: Each unit without its length, in order, as offsets from the first byte.
    /// - Throws: ``ParameterSetError`` with `.badLength` when the lengths do not add up to the sample, `.outOfRange`
    ///   when `lengthSize` is not 1, 2 or 4.
    public static func nalUnitRanges(
        in bytes: some ByteView & ~Escapable, lengthSize: Int
    ) throws(ParameterSetError) -> [Range<Int>] {
        let (ranges, error) = scan(bytes, lengthSize: lengthSize)
        if let error {
            throw error
        }
        return ranges
    }

    /// Joins NAL units, each behind its length.
    ///
    /// - Throws: ``ParameterSetError`` with `.badLength` when a unit is too large for its length field, `.outOfRange`
    ///   when `lengthSize` is not 1, 2 or 4.
    public static func join(
        _ nalUnits: some Collection<some Collection<UInt8>>, lengthSize: Int
    ) throws(ParameterSetError) -> [UInt8] {
        try check(lengthSize: lengthSize)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nalUnits.reduce(0) { $0 + lengthSize + $1.count })
        for unit in nalUnits {
            try check(unitSize: unit.count, lengthSize: lengthSize)
            appendLength(unit.count, size: lengthSize, to: &bytes)
            bytes += unit
        }
        return bytes
    }

    static func appendLength(_ length: Int, size: Int, to bytes: inout [UInt8]) {
        for index in 0..<size {
            bytes.append(byte(index, ofLength: length, size: size))
        }
    }

    /// A byte of a length field, the highest first.
    static func byte(_ index: Int, ofLength length: Int, size: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: length >> ((size - 1 - index) * 8))
    }

    static func check(lengthSize: Int) throws(ParameterSetError) {
        guard sizes.contains(lengthSize) else {
            throw ParameterSetError(.outOfRange, reason: "a length field has \(lengthSize) bytes, expected 1, 2 or 4")
        }
    }

    static func check(unitSize: Int, lengthSize: Int) throws(ParameterSetError) {
        let largest = 1 << (lengthSize * 8) - 1
        guard unitSize <= largest else {
            throw ParameterSetError(
                .badLength,
                reason: "a NAL unit has \(unitSize) bytes, a length of \(lengthSize) bytes holds at most \(largest)")
        }
    }
}
