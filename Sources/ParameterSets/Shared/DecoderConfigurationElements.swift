// SPDX-License-Identifier: MIT

// What avcC and hvcC records have in common (ISO/IEC 14496-15).

/// A decoder configuration record as it is read.
protocol DecoderConfigurationRecord {
    /// The codec's NAL unit header.
    associatedtype Header: NALUnitHeader

    /// SPS NAL units.
    var sequenceParameterSets: [[UInt8]] { get }

    /// A record to read into.
    init()

    /// Hands each field to `coder`.
    mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError)
}

extension DecoderConfigurationRecord {
    /// Reads a record; an error says what the bytes are instead, such as the `other` codec's record, of a box `box`.
    static func reading<Other: DecoderConfigurationRecord>(
        _ bytes: [UInt8], insteadOf other: Other.Type, in box: String
    ) throws(ParameterSetError) -> Self {
        do throws(ParameterSetError) {
            return try reading(bytes)
        } catch {
            let isOther = Other.holdsSequence(bytes)
            let found = isOther ? "the bytes are the contents of an \(box) box" : FramingMistakes.insteadOfRecord(bytes)
            throw error.explained(by: found)
        }
    }

    private static func reading(_ bytes: [UInt8]) throws(ParameterSetError) -> Self {
        var (record, reader) = (Self(), SyntaxReader(bytes))
        try record.code(with: &reader)
        return record
    }

    /// Whether bytes are a record with a sequence parameter set.
    private static func holdsSequence(_ bytes: [UInt8]) -> Bool {
        guard let set = (try? reading(bytes))?.sequenceParameterSets.first else { return false }
        return (try? Header(nalUnit: set))?.type.isParameterSet == true
    }
}
extension SyntaxCoder {
    /// `lengthSizeMinusOne`: two bits that stand for lengths of 1, 2 or 4 bytes.
    mutating func lengthSize(_ size: inout Int) throws(ParameterSetError) {
        let start = bitPosition
        // Any size may be asked for; what wraps around does not fit two bits either.
        var minusOne = size &- 1
        try u("lengthSizeMinusOne", &minusOne, 2)
        guard LengthPrefixed.sizes.contains(minusOne + 1) else {
            throw ParameterSetError(
                .outOfRange, field: "lengthSizeMinusOne", bitOffset: start, reason: "is \(minusOne), expected 0, 1 or 3"
            )
        }
        size = minusOne + 1
    }

    /// A count of NAL units, and each behind a length of 16 bits.
    mutating func nalUnits(
        _ count: SyntaxName, _ units: inout [[UInt8]], countBits: Int, at i: Int = -1
    ) throws(ParameterSetError) {
        var unitCount = units.count
        try u(count, &unitCount, countBits, at: i)
        if Self.isReading {
            guard unitCount * 16 <= remainingBits else {
                throw failure(
                    .endOfData, SyntaxName(count, i), "is \(unitCount), but only \(remainingBits / 8) bytes follow")
            }
            units = Array(repeating: [], count: unitCount)
        }
        for index in units.indices {
            var length = units[index].count
            try u("nalUnitLength", &length, 16, at: i < 0 ? index : i, i < 0 ? -1 : index)
            try bytes("nalUnit", &units[index], count: length, at: i < 0 ? index : i, i < 0 ? -1 : index)
        }
    }
}
