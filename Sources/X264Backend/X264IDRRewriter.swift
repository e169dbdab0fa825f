// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

/// Changes `idr_pic_id` in the slices of one IDR picture, for an encoder that goes on with the stream of another.
///
/// libx264 starts at 0 and alternates. Two IDR pictures in a row with the same value read as one (7.4.1.2.4, 7.4.3).
struct X264IDRRewriter: ~Copyable {
    /// A value that libx264 never writes itself, so that the IDR picture after this one differs from it as well.
    ///
    /// It takes eight bits more than 0 does (9.1), so that nothing behind it moves within its byte.
    static let replacement = 15

    // Handed out as NAL units, so their addresses must stay; owned.
    private var rewritten: [UnsafeMutableRawBufferPointer] = []

    deinit {
        for unit in rewritten { unit.deallocate() }
    }

    /// Changes the slices of an IDR picture.
    ///
    /// - Parameter units: Its NAL units in stream order, parameter sets included.
    /// - Returns: All of them; valid while the units given and this value are.
    /// - Throws: ``EncoderError`` with `.backendFailure` for units that cannot be read.
    mutating func rewrite(_ units: [UnsafeRawBufferPointer]) throws(EncoderError) -> [UnsafeRawBufferPointer] {
        var parameterSets = H264ParameterSets()
        var result: [UnsafeRawBufferPointer] = []
        for unit in units {
            guard let bytes = try Self.changed(Array(unit), &parameterSets) else {
                result.append(unit)
                continue
            }
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            rewritten.append(copy)
            result.append(UnsafeRawBufferPointer(copy))
        }
        return result
    }

    /// A slice with the other value; nil for other units, of which parameter sets are noted.
    private static func changed(
        _ unit: [UInt8], _ parameterSets: inout H264ParameterSets
    ) throws(EncoderError) -> [UInt8]? {
        do throws(ParameterSetError) {
            var parsed = try H264NALUnit(nalUnit: unit, in: parameterSets)
            parameterSets.update(with: parsed)
            guard case .slice(var slice) = parsed.payload else { return nil }
            slice.header.idrPicID = replacement
            parsed.payload = .slice(slice)
            return try parsed.nalUnit(in: parameterSets)
        } catch {
            throw EncoderError(.backendFailure, reason: "libx264 wrote an IDR picture that cannot be read (\(error))")
        }
    }
}
