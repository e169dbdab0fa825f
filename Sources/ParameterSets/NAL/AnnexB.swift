// SPDX-License-Identifier: MIT

/// The byte stream format: start codes between NAL units (annex B of both standards).
public enum AnnexB {
    /// The start code that is written before every NAL unit here.
    public static let startCode: [UInt8] = [0, 0, 0, 1]

    /// Finds the NAL units of a byte stream.
    ///
    /// Bytes before the first start code belong to no unit and are passed over, as are empty units.
    ///
    /// - Parameter bytes: `[UInt8]`, `ArraySlice<UInt8>` or `Span<UInt8>`.
    /// - Returns: Each unit without its start code and without zero bytes before the next, in order, as offsets from
    ///   the first byte.
    public static func nalUnitRanges(in bytes: some ByteView & ~Escapable) -> [Range<Int>] {
        bytes.withSpan { nalUnitRanges(in: $0) }
    }

    static func nalUnitRanges(in bytes: Span<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        forEachNALUnit(in: bytes) { ranges.append($0) }
        return ranges
    }

    /// Calls `body` with the range of each NAL unit, as ``nalUnitRanges(in:)`` has them.
    package static func forEachNALUnit(in bytes: Span<UInt8>, _ body: (Range<Int>) -> Void) {
        var start = StartCodeScanner.firstStartCode(in: bytes, from: 0).map { $0 + 3 }
        while let unitStart = start {
            let next = StartCodeScanner.firstStartCode(in: bytes, from: unitStart)
            var end = next ?? bytes.count
            while end > unitStart, bytes[end - 1] == 0 {
                end -= 1
            }
            if end > unitStart {
                body(unitStart..<end)
            }
            start = next.map { $0 + 3 }
        }
    }

    /// Joins NAL units, each with a start code of four bytes.
    @inlinable
    public static func join(_ nalUnits: some Collection<some Collection<UInt8>>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nalUnits.reduce(0) { $0 + startCode.count + $1.count })
        for unit in nalUnits {
            bytes += startCode
            bytes += unit
        }
        return bytes
    }
}
