// SPDX-License-Identifier: MIT

/// NAL units in memory that stays where it is, which a back end puts before each key frame in place of a library that
/// does not repeat its headers.
///
/// Sessions with data-rate limits count no parameter sets, but rate control of a library counts those that it writes:
/// in short windows of a low rate they take a good part of what its buffer holds.
package struct RepeatedHeaders: ~Copyable {
    /// Without start codes; valid while this value lives.
    private let units: [UnsafeRawBufferPointer]

    /// Copies NAL units, which have no start codes.
    package init(_ headers: [[UInt8]]) {
        units = headers.map { bytes in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            memory.copyBytes(from: bytes)
            return UnsafeRawBufferPointer(memory)
        }
    }

    deinit { for unit in units { unit.deallocate() } }

    /// Puts the headers before a key frame's units.
    ///
    /// - Parameters:
    ///   - nalUnits: Those of the key frame.
    ///   - isDelimiter: Whether the first byte of a unit is that of an access unit delimiter, which stays in front.
    package func insert(into nalUnits: inout [UnsafeRawBufferPointer], behind isDelimiter: (UInt8) -> Bool) {
        let hasDelimiter = nalUnits.first?.first.map(isDelimiter) ?? false
        nalUnits.insert(contentsOf: units, at: hasDelimiter ? 1 : 0)
    }
}
