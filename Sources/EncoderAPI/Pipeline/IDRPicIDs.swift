// SPDX-License-Identifier: MIT

import ParameterSets

/// Keeps H.264 IDR pictures in a row apart: two with the same `idr_pic_id` read as one (7.4.1.2.4, 7.4.3).
///
/// Most encoders alternate by themselves. It happens where a stream goes on with another encoder, where an IDR picture
/// between the two was lost, and with an encoder that always writes the same.
struct IDRPicIDs {
    private var parameterSets = H264ParameterSets()
    /// The value of the stream's last picture; nil where it was no IDR picture, or could not be read.
    private var last: Int?

    /// The value that stands in for another one.
    ///
    /// It takes as many bits, or eight more or less (9.1), so that nothing behind it moves within its byte.
    static func replacement(for idrPicID: Int) -> Int {
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

    /// Takes over parameter sets that slices refer to; those that cannot be read are left out.
    mutating func adopt(_ sets: [[UInt8]]) {
        for set in sets {
            if let unit = try? H264NALUnit(nalUnit: set, in: parameterSets) { parameterSets.update(with: unit) }
        }
    }

    /// The value of a picture; nil where it is no IDR picture, or cannot be read.
    func id(of units: [UnsafeRawBufferPointer], _ roles: [NALUnitRole]) -> Int? {
        guard let index = roles.firstIndex(of: .slice(.sync)) else { return nil }
        let slice = units[index].bindMemory(to: UInt8.self).span
        return (try? H264SliceHeader(nalUnit: slice, in: parameterSets))?.idrPicID
    }

    /// Whether a picture with this value needs another.
    func mustChange(_ id: Int?) -> Bool { id != nil && id == last }

    /// Notes the value of a picture that is in the stream now.
    mutating func note(_ id: Int?) { last = id }

    /// A slice of an IDR picture with the other value.
    ///
    /// - Throws: ``EncoderError`` with `.backendFailure` for one that cannot be read.
    func changed(_ slice: UnsafeRawBufferPointer) throws(EncoderError) -> [UInt8] {
        do throws(ParameterSetError) {
            var unit = try H264NALUnit(nalUnit: slice.bindMemory(to: UInt8.self).span, in: parameterSets)
            guard case .slice(var content) = unit.payload else { return Array(slice) }
            content.header.idrPicID = Self.replacement(for: content.header.idrPicID)
            unit.payload = .slice(content)
            return try unit.nalUnit(in: parameterSets)
        } catch {
            throw EncoderError(
                .backendFailure, reason: "the encoder wrote an IDR picture that cannot be read (\(error))")
        }
    }
}
