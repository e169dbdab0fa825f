// SPDX-License-Identifier: MIT

import BitSyntax
import CVA
import ParameterSets

/// A header as a driver takes it to put into the stream: a start code and bits without emulation prevention, which the
/// driver adds, since it alone knows what follows.
struct PackedHeader: Sendable, Hashable {
    /// One of the `VAEncPackedHeaderType` values.
    let type: UInt32
    /// Behind the last bit, zeros to the byte.
    let bytes: [UInt8]
    /// How many bits count.
    let bitCount: Int

    /// Writes a NAL unit's header and what follows it, which need not end at a whole byte and is as it was afterwards.
    init<Header: NALUnitHeader, Payload: SyntaxStructure>(
        _ type: VAEncPackedHeaderType, _ header: Header, _ payload: inout Payload, in context: Payload.Context
    ) throws(ParameterSetError) {
        var writer = SyntaxWriter()
        var header = header
        try writer.fixed("start_code", 1, 32)
        try header.write(with: &writer, in: ())
        try payload.write(with: &writer, in: context)
        self.type = type.rawValue
        bitCount = writer.bitPosition
        bytes = writer.finish()
    }

    /// The bit of `VAConfigAttribEncPackedHeaders` that lets a driver take it.
    var requirement: Int32 {
        switch type {
        case VAEncPackedHeaderSequence.rawValue: VA_ENC_PACKED_HEADER_SEQUENCE
        case VAEncPackedHeaderPicture.rawValue: VA_ENC_PACKED_HEADER_PICTURE
        default: VA_ENC_PACKED_HEADER_SLICE
        }
    }
}
