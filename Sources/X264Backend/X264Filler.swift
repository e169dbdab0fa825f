// SPDX-License-Identifier: MIT

import CX264
import BackendSupport

/// Takes from filler what libx264 does not count.
///
/// It begins all units of a picture but the first and the parameter sets with start codes of three bytes, and counts
/// them; a session puts a length or a start code of four before each. At 60 kbit/s the byte before each picture's
/// filler made a decoder's buffer run dry by thirteen times its size in ten minutes of flat pictures.
struct X264Filler {
    /// Bytes that were counted in no picture, and in no filler that was made shorter.
    private var uncounted = 0

    /// Makes filler shorter by what was not counted, as far as there is any.
    ///
    /// - Parameters:
    ///   - nalUnits: What belongs to a picture, in memory of the library, which is written to.
    ///   - units: The same as the library gave it, with start codes.
    mutating func balance(
        _ nalUnits: inout [UnsafeRawBufferPointer], countedAs units: UnsafeBufferPointer<x264_nal_t>
    ) {
        uncounted += units.count { $0.i_payload > 2 && $0.p_payload[2] == 1 }
        for index in nalUnits.indices where nalUnits[index].first == UInt8(NAL_FILLER.rawValue) {
            let most = nalUnits[index].count - 2
            let count = min(uncounted, most)
            guard count > 0 else { continue }
            nalUnits[index] = nalUnits[index].withoutFiller(count, headerSize: 1)
            uncounted -= count
        }
    }
}
