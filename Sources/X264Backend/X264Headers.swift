// SPDX-License-Identifier: MIT

import CX264

/// Parameter sets in memory that stays where it is, for key frames that libx264 writes without them.
///
/// Only where it repeats parameter sets does it write its note of its version and options as well, some 750 bytes in
/// the first picture, which count in rate control although they leave no session. A data-rate limit over a short time
/// allows little more than that: the first picture then gets 40 bytes, and the guess of what sync frames take stays
/// wrong for seconds (measured on 0.164 with 60 kbit/s).
struct X264Headers: ~Copyable {
    /// Without start codes; valid while this value lives.
    let units: [UnsafeRawBufferPointer]

    init(_ parameterSets: [[UInt8]]) {
        units = parameterSets.map { bytes in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            memory.copyBytes(from: bytes)
            return UnsafeRawBufferPointer(memory)
        }
    }

    deinit { for unit in units { unit.deallocate() } }

    /// Puts the parameter sets before a key frame's units, behind an access unit delimiter.
    func insert(into nalUnits: inout [UnsafeRawBufferPointer]) {
        let hasDelimiter = nalUnits.first?.first.map { Int32($0 & 0x1F) == Int32(NAL_AUD.rawValue) } ?? false
        nalUnits.insert(contentsOf: units, at: hasDelimiter ? 1 : 0)
    }
}
