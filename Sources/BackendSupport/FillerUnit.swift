// SPDX-License-Identifier: MIT

extension UnsafeRawBufferPointer {
    /// A unit of filler without some bytes of its filler: what is behind those, with the header written over the last.
    ///
    /// - Parameters:
    ///   - count: Fewer than the unit has behind its header.
    ///   - headerSize: Bytes of the unit's header.
    /// - Returns: A part of the same memory, which is a library's that may be written to.
    package func withoutFiller(_ count: Int, headerSize: Int) -> UnsafeRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer(mutating: self)
        UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + headerSize])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: self[..<headerSize]))
        return UnsafeRawBufferPointer(rebasing: self[count...])
    }
}
