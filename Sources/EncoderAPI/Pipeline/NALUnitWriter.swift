// SPDX-License-Identifier: MIT

/// Writes NAL units behind their start codes or lengths into memory that holds them all.
struct NALUnitWriter {
    private let framing: StreamFraming
    private let memory: UnsafeMutableRawBufferPointer
    /// Bytes written.
    private(set) var count = 0
    /// Where the units lie.
    private(set) var ranges: [Range<Int>]
    /// The length of a unit that its length field cannot say.
    private(set) var tooLarge: Int?

    /// Writes to the start of `memory`, and adds to `ranges`.
    init(_ framing: StreamFraming, _ memory: UnsafeMutableRawBufferPointer, ranges: [Range<Int>]) {
        self.framing = framing
        self.memory = memory
        self.ranges = ranges
    }

    mutating func append(_ unit: UnsafeRawBufferPointer) {
        switch framing {
        case .annexB: append(UInt32(1))
        case .lengthPrefixed(let bytes): append(length: unit.count, in: bytes)
        }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: unit)
        ranges.append(count..<count + unit.count)
        count += unit.count
    }

    private mutating func append(length: Int, in bytes: Int) {
        switch bytes {
        case 1: append(UInt8(truncatingIfNeeded: length))
        case 2: append(UInt16(truncatingIfNeeded: length))
        default: append(UInt32(truncatingIfNeeded: length))
        }
        if length >> (8 * bytes) != 0 { tooLarge = length }
    }

    private mutating func append(_ prefix: some FixedWidthInteger & BitwiseCopyable) {
        memory.storeBytes(of: prefix.bigEndian, toByteOffset: count, as: type(of: prefix))
        count += prefix.bitWidth / 8
    }
}
