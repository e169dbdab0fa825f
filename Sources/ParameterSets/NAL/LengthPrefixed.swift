// SPDX-License-Identifier: MIT

/// NAL units each behind its length, as in MP4, Matroska and FLV (ISO/IEC 14496-15 clause 5.3.3).
public enum LengthPrefixed {
    /// The sizes a length field can have, in bytes.
    public static let sizes = [1, 2, 4]

    /// Walks the units of one sample, giving all whole units before any error.
    public struct Reader: Sendable {
        private let bytes: [UInt8]
        private let lengthSize: Int
        /// Where the next length field starts, in bytes.
        public private(set) var offset = 0

        /// Starts at the first unit.
        ///
        /// - Throws: ``ParameterSetError`` with `.outOfRange` when `lengthSize` is not 1, 2 or 4.
        public init(_ bytes: [UInt8], lengthSize: Int) throws(ParameterSetError) {
            try LengthPrefixed.check(lengthSize: lengthSize)
            self.bytes = bytes
            self.lengthSize = lengthSize
        }

        /// The next unit's bytes; nil at the end.
        ///
        /// - Throws: ``ParameterSetError`` with `.badLength` and `length` when a length field is cut
        ///   off or claims more than there is; again at every further call.
        public mutating func next() throws(ParameterSetError) -> Range<Int>? {
            let left = bytes.count - offset
            guard left > 0 else { return nil }
            guard left >= lengthSize else {
                throw mismatch(claimed: nil, remaining: left)
            }
            let start = offset + lengthSize
            let length = bytes[offset..<start].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - start else {
                throw mismatch(claimed: length, remaining: bytes.count - start)
            }
            offset = start + length
            return start..<offset
        }

        private func mismatch(claimed: Int?, remaining: Int) -> ParameterSetError {
            var reason =
                if let claimed {
                    "the length at byte \(offset) is \(claimed), but \(remaining) bytes remain"
                } else {
                    "\(remaining) bytes remain at byte \(offset), too few for a length"
                }
            // 0 0 1 may begin a length of four bytes.
            if bytes.starts(with: AnnexB.startCode) || (lengthSize < 4 && bytes.starts(with: [0, 0, 1])) {
                reason += "; the bytes begin with a start code, as a byte stream does"
            }
            return ParameterSetError(
                .badLength, bitOffset: offset * 8, reason: reason,
                length: .init(offset: offset, claimed: claimed, remaining: remaining))
        }
    }

    /// Finds the NAL units of one sample; units of length zero are passed over.
    ///
    /// - Returns: All whole units, and the error that ends them if the lengths do not add up.
    public static func scan(_ bytes: [UInt8], lengthSize: Int) -> (ranges: [Range<Int>], error: ParameterSetError?) {
        var ranges: [Range<Int>] = []
        do {
            var reader = try Reader(bytes, lengthSize: lengthSize)
            while let range = try reader.next() {
                if !range.isEmpty {
                    ranges.append(range)
                }
            }
            return (ranges, nil)
        } catch {
            return (ranges, error)
        }
    }

    /// Finds the NAL units of one sample.
    ///
    /// - Throws: ``ParameterSetError`` with `.badLength` when the lengths do not add up to the sample, `.outOfRange` when
    ///   `lengthSize` is not 1, 2 or 4.
    public static func nalUnitRanges(in bytes: [UInt8], lengthSize: Int) throws(ParameterSetError) -> [Range<Int>] {
        let (ranges, error) = scan(bytes, lengthSize: lengthSize)
        if let error {
            throw error
        }
        return ranges
    }

    /// Joins NAL units, each behind its length.
    ///
    /// - Throws: ``ParameterSetError`` with `.badLength` when a unit is too large for its length field, `.outOfRange` when
    ///   `lengthSize` is not 1, 2 or 4.
    public static func join(
        _ nalUnits: some Collection<some Collection<UInt8>>, lengthSize: Int
    ) throws(ParameterSetError) -> [UInt8] {
        try check(lengthSize: lengthSize)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nalUnits.reduce(0) { $0 + lengthSize + $1.count })
        for unit in nalUnits {
            try check(unitSize: unit.count, lengthSize: lengthSize)
            for index in 0..<lengthSize {
                bytes.append(byte(index, ofLength: unit.count, size: lengthSize))
            }
            bytes += unit
        }
        return bytes
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
