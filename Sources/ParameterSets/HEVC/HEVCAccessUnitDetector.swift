// SPDX-License-Identifier: MIT

/// Finds where HEVC access units begin (7.4.2.4.4; F.7.4.2.4.4 for layers).
public struct HEVCAccessUnitDetector: AccessUnitDetector {
    private var order = AccessUnitOrder()

    /// A detector at the start of a stream.
    public init() {}

    /// Whether a unit is the first of an access unit.
    public mutating func startsAccessUnit(
        _ nalUnit: some ByteView & ~Escapable
    ) throws(ParameterSetError) -> Bool {
        let place = try nalUnit.withSpan { (bytes) throws(ParameterSetError) in try Self.place(bytes) }
        return order.startsAccessUnit(place)
    }

    private static func place(_ nalUnit: Span<UInt8>) throws(ParameterSetError) -> AccessUnitOrder.Place {
        var (header, reader) = (HEVCNALUnitHeader(), HeaderReader(nalUnit))
        try header.code(with: &reader, in: ())
        guard header.layerID == 0 else {
            return .anywhere
        }
        switch header.type.rawValue {
        case 0...31:
            // Every slice segment header begins with it.
            var isFirst = false
            try reader.flag("first_slice_segment_in_pic_flag", &isFirst)
            return isFirst ? .pictureStart : .picture
        case 32...35, 39, 41...44, 48...55:
            return .beforePicture
        default:
            return .anywhere
        }
    }
}
