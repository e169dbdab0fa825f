// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets

/// A container's avcC or hvcC, taken apart.
struct ConfigurationRecord {
    /// Bytes of the length before each NAL unit of a packet.
    let lengthSize: Int
    /// The fields in the order of the record, its NAL units left out; empty when the record cannot be read.
    let elements: [SyntaxElement]
    /// The NAL units, or why there are none.
    let entries: [StreamEntry]

    /// Reads a record; one that is broken behind its lengths' size only loses its NAL units.
    ///
    /// - Throws: ``MediaFileError`` with `.corrupt` when lengths have no legal size.
    init(_ bytes: [UInt8], codec: VideoCodec, path: String) throws(MediaFileError) {
        let sizeField = codec == .h264 ? 4 : 21
        let size = sizeField < bytes.count ? Int(bytes[sizeField] & 3) + 1 : 0
        guard LengthPrefixed.sizes.contains(size) else {
            throw MediaFileError(
                .corrupt,
                reason: "its configuration record of \(bytes.count) bytes says lengths of \(size) bytes, expected "
                    + "1, 2 or 4", path: path)
        }
        lengthSize = size
        do throws(ParameterSetError) {
            let all = try Self.trace(bytes, codec: codec)
            elements = all.filter { $0.name.field != "nalUnit" }
            entries = all.compactMap { element in
                guard element.name.field == "nalUnit", case .opaque(let unit) = element.value, !unit.isEmpty else {
                    return nil
                }
                return .unit(unit.bytes, .record(position: element.bitPosition / 8 - 2))
            }
        } catch {
            elements = []
            entries = [.damage(error, .record(position: (error.bitOffset ?? 0) / 8))]
        }
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
