// SPDX-License-Identifier: MIT

import ParameterSets

/// Tells byte streams of H.264 and HEVC from each other and from everything else.
enum AnnexBDetection {
    /// Looks at a file's first bytes.
    ///
    /// - Parameters:
    ///   - head: The bytes.
    ///   - isWhole: Whether the file ends with them.
    /// - Returns: Nil when they are no byte stream, or one of another codec.
    static func codec(of head: [UInt8], isWhole: Bool) -> VideoCodec? {
        guard startsWithStartCode(head) else { return nil }
        var ranges = AnnexB.nalUnitRanges(in: head)
        // What the head cuts off says less than a whole unit, but may be all there is.
        if !isWhole, ranges.count > 1 { ranges.removeLast() }
        let h264 = ranges.reduce(0) { $0 + H264NALUnit.likelihood(head[$1]) }
        let hevc = ranges.reduce(0) { $0 + HEVCNALUnit.likelihood(head[$1]) }
        guard max(h264, hevc) > 0 else { return nil }
        return h264 >= hevc ? .h264 : .hevc
    }

    /// Whether only zero bytes come before the first start code (B.1.1), and its unit is not another format's.
    private static func startsWithStartCode(_ head: [UInt8]) -> Bool {
        guard let first = head.firstIndex(where: { $0 != 0 }), first >= 2, head[first] == 1, first + 1 < head.count
        else { return false }
        // MPEG-1 and 2 use the same start codes for packs (0xBA) and sequences (0xB3).
        guard ![0xBA, 0xB3].contains(head[first + 1]) else { return false }
        // A box of MP4 whose size is 1, for 64 bits, looks like a start code of four bytes.
        let boxType = first == 3 ? head[4...].prefix(4) : []
        return !boxTypes.contains { boxType.elementsEqual($0.utf8) }
    }

    private static let boxTypes = ["ftyp", "styp", "mdat", "moov", "moof", "free", "skip", "wide", "uuid"]
}

extension InspectableUnit {
    /// How much a unit looks like one of this codec: below 0 when it cannot be one.
    static func likelihood(_ unit: ArraySlice<UInt8>) -> Int {
        guard let header = try? Header(nalUnit: unit) else { return -2 }
        if isSequence(header), description(ofSequence: unit) != nil { return 100 }
        return usualness(header)
    }
}
