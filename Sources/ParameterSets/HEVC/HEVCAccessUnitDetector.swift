// SPDX-License-Identifier: MIT

/// Finds where HEVC access units begin (7.4.2.4.4; F.7.4.2.4.4 for layers).
public struct HEVCAccessUnitDetector: AccessUnitDetector {
    private var order = AccessUnitOrder()

    /// A detector at the start of a stream.
    public init() {}

    /// Whether a unit is the first of an access unit.
    public mutating func startsAccessUnit(_ nalUnit: [UInt8]) throws(ParameterSetError) -> Bool {
        let header = try HEVCNALUnitHeader(nalUnit: nalUnit)
        return order.startsAccessUnit(try Self.place(header, nalUnit))
    }

    private static func place(
        _ header: HEVCNALUnitHeader, _ nalUnit: [UInt8]
    ) throws(ParameterSetError) -> AccessUnitOrder.Place {
        guard header.layerID == 0 else {
            return .anywhere
        }
        switch header.type.rawValue {
        case 0...31:
            guard nalUnit.count > header.byteCount else {
                throw ParameterSetError(
                    .endOfData, field: "first_slice_segment_in_pic_flag", bitOffset: header.byteCount * 8,
                    reason: "the data ends before this field")
            }
            // first_slice_segment_in_pic_flag is the first bit of every slice segment header.
            return nalUnit[header.byteCount] & 0x80 != 0 ? .pictureStart : .picture
        case 32...35, 39, 41...44, 48...55:
            return .beforePicture
        default:
            return .anywhere
        }
    }
}
