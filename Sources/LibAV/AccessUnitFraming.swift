// SPDX-License-Identifier: MIT

package import EncoderAPI
import ParameterSets

/// An access unit's NAL units as containers hold them.
package struct AccessUnitFraming {
    private let format: FormatDescription
    private let data: [UInt8]
    private let nalUnits: [Range<Int>]

    /// Looks at an access unit.
    ///
    /// - Parameters:
    ///   - format: Valid for it.
    ///   - data: Its bytes.
    ///   - nalUnits: Where in `data` each NAL unit lies, without its start code or length.
    package init(_ format: FormatDescription, data: [UInt8], nalUnits: [Range<Int>]) {
        self.format = format
        self.data = data
        self.nalUnits = nalUnits
    }

    /// The NAL units behind lengths as the configuration record announces them.
    ///
    /// - Parameter carriesSets: Whether the parameter sets of the record stand in the access unit: before all its other
    ///   NAL units but a delimiter. Else they are left out.
    /// - Returns: The bytes; those given where they are so already.
    /// - Throws: ``LibAVError`` with `.invalidValue` for a NAL unit that is too long for its length.
    package func lengthPrefixed(carryingSets carriesSets: Bool = false) throws(LibAVError) -> [UInt8] {
        if !carriesSets, isLengthPrefixed, !nalUnits.contains(where: isParameterSet) { return data }
        let units = carriesSets ? unitsWithSets : nalUnits.filter { !isParameterSet($0) }.map { data[$0] }
        do {
            return try LengthPrefixed.join(units, lengthSize: format.nalUnitLengthSize)
        } catch {
            throw LibAVError(.invalidValue, reason: error.reason)
        }
    }

    /// The NAL units behind start codes.
    ///
    /// - Parameters:
    ///   - carriesSets: Whether the parameter sets are put in, where the access unit has none.
    ///   - isDelimited: Whether a delimiter is put in, where the access unit has none, as transport streams have it
    ///     (ISO/IEC 13818-1, 2.14.1 and 2.17.1); libavformat puts it in too, by another copy of all bytes.
    /// - Returns: The bytes.
    package func annexB(carryingSets carriesSets: Bool, delimited isDelimited: Bool = false) -> [UInt8] {
        var units = carriesSets ? unitsWithSets : nalUnits.map { data[$0] }
        if isDelimited, !units.contains(where: isDelimiter) { units.insert(delimiter, at: 0) }
        return AnnexB.join(units)
    }

    /// The NAL units, with parameter sets where there are none; an access unit delimiter stays first.
    private var unitsWithSets: [ArraySlice<UInt8>] {
        var units = nalUnits.map { data[$0] }
        guard !nalUnits.contains(where: isParameterSet) else { return units }
        units.insert(contentsOf: format.parameterSets.map { $0[...] }, at: units.first.map(isDelimiter) == true ? 1 : 0)
        return units
    }

    /// Whether the bytes are already what ``lengthPrefixed(carryingSets:)`` would make of them.
    private var isLengthPrefixed: Bool {
        let size = format.nalUnitLengthSize
        var end = 0
        for unit in nalUnits {
            guard unit.lowerBound == end + size,
                data[end..<unit.lowerBound].reduce(0, { $0 << 8 | Int($1) }) == unit.count
            else { return false }
            end = unit.upperBound
        }
        return end == data.count
    }

    /// An access unit delimiter before slices of any kind.
    private var delimiter: ArraySlice<UInt8> { format.codec == .h264 ? [0x09, 0xF0] : [0x46, 0x01, 0x50] }

    private func isDelimiter(_ unit: ArraySlice<UInt8>) -> Bool {
        unit.first.map(format.codec.isDelimiter(firstByte:)) == true
    }

    private func isParameterSet(_ range: Range<Int>) -> Bool {
        format.parameterSets.contains { $0.count == range.count && $0.elementsEqual(data[range]) }
    }
}

extension VideoCodec {
    /// Whether the NAL unit of this first byte is an access unit delimiter, before which nothing of its access unit
    /// comes.
    package func isDelimiter(firstByte byte: UInt8) -> Bool {
        switch self {
        case .h264: H264NALUnitType(rawValue: Int(byte & 31)) == .accessUnitDelimiter
        case .hevc: HEVCNALUnitType(rawValue: Int(byte >> 1 & 63)) == .accessUnitDelimiter
        }
    }
}
