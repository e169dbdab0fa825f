// SPDX-License-Identifier: MIT

import ParameterSets

/// Reads every unit of a stream and writes it again.
struct RoundTripCheck<Unit: CodedNALUnit> {
    /// Units that were written otherwise than they were read.
    private(set) var changed: [String] = []
    /// Units that could not be read.
    private(set) var refused: [(place: String, error: ParameterSetError)] = []
    /// How many units there were.
    private(set) var unitCount = 0

    /// Takes a whole elementary stream, or one of four-byte lengths.
    mutating func run(_ bytes: [UInt8], isLengthPrefixed: Bool) {
        let ranges =
            isLengthPrefixed
            ? LengthPrefixed.scan(bytes, lengthSize: 4).ranges : AnnexB.nalUnitRanges(in: bytes)
        var parameterSets = Unit.Context()
        for (index, range) in ranges.enumerated() {
            unitCount += 1
            let bytes = Array(bytes[range])
            do {
                let unit = try Unit(nalUnit: bytes, in: parameterSets)
                if try unit.nalUnit(in: parameterSets) != bytes.withoutTrailingZeros {
                    changed.append("unit \(index) at byte \(range.lowerBound)")
                }
                parameterSets.update(with: unit)
            } catch {
                refused.append(("unit \(index) at byte \(range.lowerBound)", error))
            }
        }
    }
}

extension [UInt8] {
    /// The bytes without zeros at the end, which `trailing_zero_8bits` and `cabac_zero_words` are and nothing is lost
    /// with.
    var withoutTrailingZeros: [UInt8] {
        var bytes = self
        while bytes.last == 0 { bytes.removeLast() }
        return bytes
    }
}
