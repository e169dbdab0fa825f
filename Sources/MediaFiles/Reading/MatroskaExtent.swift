// SPDX-License-Identifier: MIT

/// Where a Matroska or WebM file says that it ends: libavformat takes a cut file for a complete one.
enum MatroskaExtent {
    /// Bytes of a file that ``end(of:)`` looks at.
    static let headerLength = 128

    /// Reads the sizes of the EBML header and of the segment after it (RFC 8794 section 6, RFC 9559 section 5.1).
    ///
    /// - Returns: Nil for other files, and where the size is left open as in live streams.
    static func end(of start: ArraySlice<UInt8>) -> Int64? {
        var rest = start
        guard let header = element(&rest, id: [0x1A, 0x45, 0xDF, 0xA3]), header <= Int64(rest.count) else { return nil }
        rest = rest.dropFirst(Int(header))
        guard let segment = element(&rest, id: [0x18, 0x53, 0x80, 0x67]) else { return nil }
        let (end, overflow) = segment.addingReportingOverflow(Int64(rest.startIndex - start.startIndex))
        return overflow ? nil : end
    }

    /// Reads an element's identifier and size.
    private static func element(_ bytes: inout ArraySlice<UInt8>, id: [UInt8]) -> Int64? {
        guard bytes.starts(with: id) else { return nil }
        bytes = bytes.dropFirst(id.count)
        guard let first = bytes.first, first != 0 else { return nil }
        let count = first.leadingZeroBitCount + 1
        guard bytes.count >= count else { return nil }
        let mask = (Int64(1) << (7 * count)) - 1
        let size = bytes.prefix(count).reduce(Int64(0)) { $0 << 8 | Int64($1) } & mask
        bytes = bytes.dropFirst(count)
        return size == mask ? nil : size
    }
}
