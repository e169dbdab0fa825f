// SPDX-License-Identifier: MIT

/// Writes NAL units behind their start codes or lengths into memory that holds them all.
struct NALUnitWriter {
    /// What was written.
    struct Written {
        /// Bytes.
        var count = 0
        /// Where the units lie.
        var ranges: [Range<Int>] = []
        /// The length of a unit that its length field cannot say.
        var tooLarge: Int?
    }

    private let framing: StreamFraming
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var written = Written()

    /// Writes to the start of `memory`, which holds `unitCount` units.
    init(_ framing: StreamFraming, _ memory: UnsafeMutableRawBufferPointer, unitCount: Int) {
        self.framing = framing
        self.memory = memory
        written.ranges.reserveCapacity(unitCount)
    }

    mutating func append(_ unit: UnsafeRawBufferPointer) {
        switch framing {
        case .annexB: append(UInt32(1))
        case .lengthPrefixed(let bytes): append(length: unit.count, in: bytes)
        }
        UnsafeMutableRawBufferPointer(rebasing: memory[written.count...]).copyMemory(from: unit)
        written.ranges.append(written.count..<written.count + unit.count)
        written.count += unit.count
    }

    private mutating func append(length: Int, in bytes: Int) {
        switch bytes {
        case 1: append(UInt8(truncatingIfNeeded: length))
        case 2: append(UInt16(truncatingIfNeeded: length))
        default: append(UInt32(truncatingIfNeeded: length))
        }
        if length >> (8 * bytes) != 0 { written.tooLarge = length }
    }

    private mutating func append(_ prefix: some FixedWidthInteger & BitwiseCopyable) {
        memory.storeBytes(of: prefix.bigEndian, toByteOffset: written.count, as: type(of: prefix))
        written.count += prefix.bitWidth / 8
    }
}
