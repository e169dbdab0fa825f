// SPDX-License-Identifier: MIT

import BitSyntax
import CVA
import ParameterSets

/// A header as a driver takes it to put into the stream, behind a start code.
struct PackedHeader: Sendable, Hashable {
    /// One of the `VAEncPackedHeaderType` values.
    let type: UInt32
    /// Behind the last bit, zeros to the byte.
    let bytes: [UInt8]
    /// How many bits count.
    let bitCount: Int
    /// Whether emulation prevention is in the bytes.
    let isEscaped: Bool

    /// A parameter set, escaped: Mesa before 24 reads it, and takes three bytes as a start code wherever they stand.
    ///
    /// - Parameters:
    ///   - type: One of the values for parameter sets.
    ///   - unit: The NAL unit as the stream has it, without start code.
    init(_ type: VAEncPackedHeaderType, parameterSet unit: [UInt8]) {
        self.type = type.rawValue
        bytes = [0, 0, 0, 1] + unit
        bitCount = bytes.count * 8
        isEscaped = true
    }

    /// Writes a slice's NAL unit header and what follows it up to the first block.
    ///
    /// It need not end at a whole byte. The driver escapes it, since it alone knows what comes behind.
    init(
        _ type: VAEncPackedHeaderType, _ header: some NALUnitHeader,
        payload: (inout SyntaxWriter) throws(ParameterSetError) -> Void
    ) throws(ParameterSetError) {
        var writer = SyntaxWriter()
        var header = header
        try writer.fixed("start_code", 1, 32)
        try header.write(with: &writer, in: ())
        try payload(&writer)
        self.type = type.rawValue
        isEscaped = false
        bitCount = writer.bitPosition
        bytes = writer.finish()
    }

    /// Makes a NAL unit that stands before a picture's parameter sets and slices.
    init(raw unit: [UInt8]) { self.init(VAEncPackedHeaderRawData, parameterSet: unit) }

    /// The bit of `VAConfigAttribEncPackedHeaders` that lets a driver take it.
    var requirement: Int32 {
        switch type {
        case VAEncPackedHeaderSequence.rawValue: VA_ENC_PACKED_HEADER_SEQUENCE
        case VAEncPackedHeaderPicture.rawValue: VA_ENC_PACKED_HEADER_PICTURE
        case VAEncPackedHeaderRawData.rawValue: VA_ENC_PACKED_HEADER_RAW_DATA
        default: VA_ENC_PACKED_HEADER_SLICE
        }
    }
}
