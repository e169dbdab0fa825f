// SPDX-License-Identifier: MIT

package import ParameterSets

/// A container's avcC or hvcC, taken apart.
package struct ConfigurationRecord {
    /// Bytes of the length before each NAL unit of a packet.
    package let lengthSize: Int
    /// The fields in the order of the record, its NAL units left out; empty when the record cannot be read.
    let elements: [SyntaxElement]
    /// The NAL units, each with the first byte of its length.
    private let units: [(bytes: [UInt8], position: Int)]
    /// Why there are none; nil when the record could be read.
    private let error: ParameterSetError?

    /// Reads a record; one that is broken behind its lengths' size only loses its NAL units.
    ///
    /// - Throws: ``ParameterSetError`` with `.outOfRange` when lengths have no legal size.
    package init(_ bytes: [UInt8], codec: VideoCodec) throws(ParameterSetError) {
        let sizeField = codec == .h264 ? 4 : 21
        let size = sizeField < bytes.count ? Int(bytes[sizeField] & 3) + 1 : 0
        guard LengthPrefixed.sizes.contains(size) else {
            throw ParameterSetError(
                .outOfRange, field: "lengthSizeMinusOne",
                reason: "the configuration record of \(bytes.count) bytes says lengths of \(size) bytes, expected "
                    + "1, 2 or 4")
        }
        lengthSize = size
        do throws(ParameterSetError) {
            let all = try Self.trace(bytes, codec: codec)
            elements = all.filter { $0.name.field != "nalUnit" }
            units = all.compactMap { element in
                guard element.name.field == "nalUnit", case .opaque(let unit) = element.value, !unit.isEmpty else {
                    return nil
                }
                return (unit.bytes, element.bitPosition / 8 - 2)
            }
            error = nil
        } catch {
            elements = []
            units = []
            self.error = error
        }
    }

    /// The NAL units in the order of the record; none where it cannot be read.
    package var nalUnits: [[UInt8]] { units.map(\.bytes) }

    /// The NAL units, or why there are none.
    ///
    /// - Parameter place: The place of a byte of the record.
    /// - Returns: In the order of the record.
    func entries(_ place: (Int) -> UnitPlace) -> [StreamEntry] {
        if let error { return [.damage(error, place((error.bitOffset ?? 0) / 8))] }
        return units.map { .unit($0.bytes, place($0.position)) }
    }

    private static func trace(_ bytes: [UInt8], codec: VideoCodec) throws(ParameterSetError) -> [SyntaxElement] {
        var tracer = SyntaxTracer(bytes)
        switch codec {
        case .h264:
            var record = try AVCDecoderConfiguration(bytes: bytes)
            try record.code(with: &tracer)
        case .hevc:
            var record = try HEVCDecoderConfiguration(bytes: bytes)
            try record.code(with: &tracer)
        }
        return tracer.elements
    }
}
