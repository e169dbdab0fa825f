// SPDX-License-Identifier: MIT

/// Where the packets of a transport stream start: libavformat passes over what does not start with a sync byte.
struct TransportPacketGrid {
    /// Bytes of a file that ``init(start:)`` looks at.
    static let headerLength = 2 * 204 + 5

    private static let syncByte: UInt8 = 0x47
    private let first: Int64
    private let step: Int64

    /// Finds packets of 188 bytes, maybe with a time stamp of 4 bytes in front or 16 bytes of error correction behind
    /// (ISO/IEC 13818-1, 2.4.3.2); nil for other files.
    ///
    /// - Parameter start: The first bytes of the file.
    init?(start: ArraySlice<UInt8>) {
        for (first, step) in [(0, 188), (4, 192), (0, 204)] {
            let places = (0..<3).map { start.startIndex + first + $0 * step }
            guard places.allSatisfy({ start.indices.contains($0) && start[$0] == Self.syncByte }) else { continue }
            self.first = Int64(first)
            self.step = Int64(step)
            return
        }
        return nil
    }

    /// The offset in the file of the first packet in `bytes`, which lie at `offset`, that has no sync byte.
    func loss(in bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int64? {
        let behind = (offset - first) % step
        var place = behind > 0 ? step - behind : -behind
        while place < bytes.count {
            if bytes[Int(place)] != Self.syncByte { return offset + place }
            place += step
        }
        return nil
    }

    /// Whether a file of `size` bytes ends with a whole packet.
    func isWhole(_ size: Int64) -> Bool { size % step == 0 }
}
