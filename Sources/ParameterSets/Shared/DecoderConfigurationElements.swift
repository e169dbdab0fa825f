// SPDX-License-Identifier: MIT

// What avcC and hvcC records have in common (ISO/IEC 14496-15).
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
