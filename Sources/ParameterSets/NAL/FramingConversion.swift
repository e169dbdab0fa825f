// SPDX-License-Identifier: MIT

extension LengthPrefixed {
    /// Makes a length-prefixed sample of a byte stream.
    ///
    /// - Parameters:
    ///   - bytes: The byte stream; empty units and zero bytes at the ends of units are left out.
    ///   - lengthSize: How many bytes each length takes: 1, 2 or 4.
    /// - Returns: Each unit behind its length.
    /// - Throws: ``ParameterSetError`` with `.missingStartCode` when bytes other than zero come before the first start
    ///   code, `.badLength` when a unit is too large for its length field, `.outOfRange` when `lengthSize` is not 1, 2
    ///   or 4.
    public static func fromAnnexB(
        _ bytes: some ByteView & ~Escapable, lengthSize: Int
    ) throws(ParameterSetError) -> [UInt8] {
        try bytes.withSpan { (bytes) throws(ParameterSetError) in
            let ranges = try convertibleRanges(in: bytes, lengthSize: lengthSize)
            return join(ranges, of: bytes, prefixLength: lengthSize) { length, sample in
                appendLength(length, size: lengthSize, to: &sample)
            }
        }
    }

    /// Makes a length-prefixed sample of a byte stream, in the same memory where every length field finds room.
    ///
    /// That is so with four-byte start codes, and always with lengths of 1 or 2 bytes; units move towards the beginning
    /// where start codes and zero bytes take more than lengths. An array that shares its memory is copied first.
    ///
    /// - Parameters:
    ///   - bytes: The byte stream, and then the sample.
    ///   - lengthSize: How many bytes each length takes: 1, 2 or 4.
    /// - Throws: As ``fromAnnexB(_:lengthSize:)``; `bytes` is then unchanged.
    public static func convertFromAnnexB(_ bytes: inout [UInt8], lengthSize: Int) throws(ParameterSetError) {
        let ranges = try convertibleRanges(in: bytes.span, lengthSize: lengthSize)
        var end = 0
        let fits = ranges.allSatisfy { range in
            end += lengthSize
            defer { end += range.count }
            return end <= range.lowerBound
        }
        guard fits else {
            bytes = try fromAnnexB(bytes, lengthSize: lengthSize)
            return
        }
        end = 0
        for range in ranges {
            for index in 0..<lengthSize {
                bytes[end + index] = byte(index, ofLength: range.count, size: lengthSize)
            }
            end += lengthSize
            if end < range.lowerBound {
                for index in range {
                    bytes[end + index - range.lowerBound] = bytes[index]
                }
            }
            end += range.count
        }
        bytes.removeLast(bytes.count - end)
    }

    private static func convertibleRanges(
        in bytes: Span<UInt8>, lengthSize: Int
    ) throws(ParameterSetError) -> [Range<Int>] {
        try check(lengthSize: lengthSize)
        let ranges = AnnexB.nalUnitRanges(in: bytes)
        let head = StartCodeScanner.firstStartCode(in: bytes, from: 0)
        var stray = 0
        while stray < head ?? bytes.count, bytes[stray] == 0 {
            stray += 1
        }
        if stray < head ?? bytes.count {
            guard head != nil else { throw FramingMistakes.withoutStartCode(bytes) }
            throw ParameterSetError(
                .missingStartCode, bitOffset: stray * 8, reason: "byte \(stray) stands before the first start code")
        }
        for range in ranges {
            try check(unitSize: range.count, lengthSize: lengthSize)
        }
        return ranges
    }
}

extension LengthPrefixed {
    /// Joins parts of a span, each behind what `appendPrefix` appends for its length.
    fileprivate static func join(
        _ ranges: [Range<Int>], of bytes: Span<UInt8>, prefixLength: Int,
        _ appendPrefix: (_ length: Int, _ joined: inout [UInt8]) -> Void
    ) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(ranges.reduce(0) { $0 + prefixLength + $1.count })
        for range in ranges {
            appendPrefix(range.count, &joined)
            StartCodeScanner.append(range, of: bytes, to: &joined)
        }
        return joined
    }
}

extension AnnexB {
    /// Makes a byte stream, with start codes of four bytes, of a length-prefixed sample.
    ///
    /// Units of length zero, which a byte stream has no form for, are left out. Units are not looked into: one that is
    /// not escaped (``EmulationPrevention``) and holds a start code reads as two.
    ///
    /// - Throws: ``ParameterSetError`` with `.badLength` when the lengths do not add up to the sample, `.outOfRange`
    ///   when `lengthSize` is not 1, 2 or 4.
    public static func fromLengthPrefixed(
        _ bytes: some ByteView & ~Escapable, lengthSize: Int
    ) throws(ParameterSetError) -> [UInt8] {
        let ranges = try LengthPrefixed.nalUnitRanges(in: bytes, lengthSize: lengthSize)
        return bytes.withSpan { bytes in
            LengthPrefixed.join(ranges, of: bytes, prefixLength: startCode.count) { $1 += startCode }
        }
    }

    /// Makes a byte stream of a length-prefixed sample, in the same memory when lengths have four bytes and no unit is
    /// of length zero.
    ///
    /// An array that shares its memory is copied first.
    ///
    /// - Throws: As ``fromLengthPrefixed(_:lengthSize:)``; `bytes` is then unchanged.
    public static func convertFromLengthPrefixed(_ bytes: inout [UInt8], lengthSize: Int) throws(ParameterSetError) {
        let ranges = try LengthPrefixed.nalUnitRanges(in: bytes, lengthSize: lengthSize)
        // Units of length zero have no place in a byte stream: without them there are fewer bytes.
        let hasRoom = ranges.reduce(0) { $0 + $1.count + lengthSize } == bytes.count
        guard lengthSize == startCode.count, hasRoom else {
            bytes = try fromLengthPrefixed(bytes, lengthSize: lengthSize)
            return
        }
        for range in ranges {
            for index in 0..<lengthSize {
                bytes[range.lowerBound - lengthSize + index] = startCode[index]
            }
        }
    }
}
