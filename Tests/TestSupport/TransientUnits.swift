// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Gives `body` NAL units in memory that is gone afterwards, as an encoder does.
///
/// - Parameters:
///   - units: The units.
///   - body: Takes them.
/// - Throws: What `body` throws.
public func withTransientUnits(
    _ units: [[UInt8]], _ body: ([UnsafeRawBufferPointer]) throws(EncoderError) -> Void
) throws(EncoderError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: units.reduce(0) { $0 + $1.count }, alignment: 1)
    defer { memory.deallocate() }
    var offset = 0
    let buffers = units.map { unit in
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + unit.count])
        place.copyBytes(from: unit)
        offset += unit.count
        return UnsafeRawBufferPointer(place)
    }
    try body(buffers)
}
