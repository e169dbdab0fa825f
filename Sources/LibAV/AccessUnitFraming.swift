// SPDX-License-Identifier: MIT

package import EncoderAPI
import ParameterSets

/// An access unit's NAL units as containers hold them.
package struct AccessUnitFraming {
    private let format: FormatDescription
    private let data: PacketBytes
    private let nalUnits: [Range<Int>]

    /// Looks at an access unit.
    ///
    /// - Parameters:
    ///   - format: Valid for it.
    ///   - data: Its bytes.
    ///   - nalUnits: Where in `data` each NAL unit lies, without its start code or length.
    package init(_ format: FormatDescription, data: PacketBytes, nalUnits: [Range<Int>]) {
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
    package func lengthPrefixed(carryingSets carriesSets: Bool = false) throws(LibAVError) -> PacketBytes {
        if !carriesSets, isLengthPrefixed, !nalUnits.contains(where: isParameterSet) { return data }
        let units = carriesSets ? unitsWithSets : nalUnits.filter { !isParameterSet($0) }.map(unit)
        do {
            return PacketBytes(try LengthPrefixed.join(units, lengthSize: format.nalUnitLengthSize))
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
        let sets = carriesSets ? missingSets : []
        let delimiter = isDelimited && !nalUnits.contains(where: isDelimiter) ? delimiter : []
        let code = AnnexB.startCode
        let unitBytes = nalUnits.reduce(delimiter.count) { $0 + $1.count } + sets.reduce(0) { $0 + $1.count }
        return data.withSpan { data in
            data.withUnsafeBufferPointer { data in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(unitBytes + (1 + sets.count + nalUnits.count) * code.count)
                func append(_ unit: some Collection<UInt8>) {
                    bytes += code
                    bytes += unit
                }
                if !delimiter.isEmpty { append(delimiter) }
                // An access unit delimiter stays first.
                let first = startsWithDelimiter ? 1 : 0
                for unit in nalUnits.prefix(first) { append(UnsafeBufferPointer(rebasing: data[unit])) }
                for unit in sets { append(unit) }
                for unit in nalUnits.dropFirst(first) { append(UnsafeBufferPointer(rebasing: data[unit])) }
                return bytes
            }
        }
    }

    /// The NAL units, with parameter sets where there are none; an access unit delimiter stays first.
    private var unitsWithSets: [[UInt8]] {
        var units = nalUnits.map(unit)
        units.insert(contentsOf: missingSets, at: startsWithDelimiter ? 1 : 0)
        return units
    }

    /// The format's parameter sets, where the access unit has none of them.
    private var missingSets: [[UInt8]] { nalUnits.contains(where: isParameterSet) ? [] : format.parameterSets }

    private func unit(_ range: Range<Int>) -> [UInt8] { Array(data[range]) }

    private var startsWithDelimiter: Bool { nalUnits.first.map(isDelimiter) == true }

    /// Whether the bytes are already what ``lengthPrefixed(carryingSets:)`` would make of them.
    package var isLengthPrefixed: Bool {
        let size = format.nalUnitLengthSize
        return data.withSpan { data in
            var end = 0
            for unit in nalUnits {
                guard unit.lowerBound == end + size,
                    (end..<unit.lowerBound).reduce(0, { $0 << 8 | Int(data[$1]) }) == unit.count
                else { return false }
                end = unit.upperBound
            }
            return end == data.count
        }
    }

    /// An access unit delimiter before slices of any kind.
    private var delimiter: [UInt8] { format.codec == .h264 ? [0x09, 0xF0] : [0x46, 0x01, 0x50] }

    private func isDelimiter(_ unit: Range<Int>) -> Bool {
        !unit.isEmpty && format.codec.isDelimiter(firstByte: data[unit.lowerBound])
    }

    private func isParameterSet(_ unit: Range<Int>) -> Bool {
        // Most NAL units are told by their type: comparing asks for what threads share.
        guard !unit.isEmpty, format.codec.isParameterSet(firstByte: data[unit.lowerBound]) else { return false }
        return format.parameterSets.contains { $0.count == unit.count && $0.elementsEqual(data[unit]) }
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

    /// Whether the NAL unit of this first byte is a parameter set that a format is described by.
    package func isParameterSet(firstByte byte: UInt8) -> Bool {
        switch self {
        case .h264: [7, 8].contains(byte & 31)
        case .hevc: (32...34).contains(byte >> 1 & 63)
        }
    }
}
