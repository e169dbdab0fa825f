// SPDX-License-Identifier: MIT

import ParameterSets

/// Changes `idr_pic_id` in the slices of one H.264 IDR picture, whose predecessor in the stream has the same.
///
/// Two IDR pictures in a row with the same value read as one (7.4.1.2.4, 7.4.3). It happens where a stream goes on with
/// another encoder, and where an IDR picture between the two was lost.
package struct H264IDRRewriter: ~Copyable {
    /// The value that stands in for `idrPicID`.
    ///
    /// It takes as many bits, or eight more or less (9.1), so that nothing behind it moves within its byte.
    package static func replacement(for idrPicID: Int) -> Int {
        switch idrPicID {
        case 0: return 15
        // The largest legal value is the only one of its length.
        case 65535: return 4095
        default:
            // The values from 2^n - 1 up to the next of these numbers take 2n + 1 bits.
            let isLastOfItsLength = (idrPicID &+ 2) & (idrPicID &+ 1) == 0
            return isLastOfItsLength ? idrPicID &- 1 : idrPicID &+ 1
        }
    }

    private var parameterSets = H264ParameterSets()

    // Handed out as NAL units, so their addresses must stay; owned.
    private var rewritten: [UnsafeMutableRawBufferPointer] = []

    /// Makes a rewriter.
    ///
    /// - Parameter parameterSets: Those in force before the picture; its own are heeded too.
    /// - Throws: ``EncoderError`` with `.backendFailure` for sets that cannot be read.
    package init(parameterSets: [[UInt8]] = []) throws(EncoderError) {
        for set in parameterSets { _ = try changed(set) }
    }

    deinit {
        for unit in rewritten { unit.deallocate() }
    }

    /// Changes the slices of an IDR picture.
    ///
    /// - Parameter units: Its NAL units in stream order, parameter sets included.
    /// - Returns: All of them; valid while the units given and this value are.
    /// - Throws: ``EncoderError`` with `.backendFailure` for units that cannot be read.
    package mutating func rewrite(_ units: [UnsafeRawBufferPointer]) throws(EncoderError) -> [UnsafeRawBufferPointer] {
        var result: [UnsafeRawBufferPointer] = []
        for unit in units {
            guard let bytes = try changed(Array(unit)) else {
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
    private mutating func changed(_ unit: [UInt8]) throws(EncoderError) -> [UInt8]? {
        do throws(ParameterSetError) {
            var parsed = try H264NALUnit(nalUnit: unit, in: parameterSets)
            parameterSets.update(with: parsed)
            guard case .slice(var slice) = parsed.payload else { return nil }
            slice.header.idrPicID = Self.replacement(for: slice.header.idrPicID)
            parsed.payload = .slice(slice)
            return try parsed.nalUnit(in: parameterSets)
        } catch {
            throw EncoderError(
                .backendFailure, reason: "the encoder wrote an IDR picture that cannot be read (\(error))")
        }
    }
}
