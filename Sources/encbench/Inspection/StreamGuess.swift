// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

/// Tells from a file's first bytes what it holds.
enum StreamGuess {
    /// Bytes that are looked at.
    static let byteCount = 1 << 16

    /// Whether the file starts with a start code: two or more zero bytes and a one, and no box of an MP4 file.
    static func isAnnexB(_ start: ArraySlice<UInt8>) -> Bool {
        guard let first = start.firstIndex(where: { $0 != 0 }), start[first] == 1 else { return false }
        let zeros = first - start.startIndex
        guard zeros >= 2 else { return false }
        let boxes = ["ftyp", "mdat", "moov", "free", "wide", "skip"].map { Array($0.utf8) }
        return !(zeros == 3 && boxes.contains(Array(start.dropFirst(4).prefix(4))))
    }

    /// The codec whose NAL units these are; nil where they fit neither.
    ///
    /// Parameter sets that can be read decide; without any, the headers that are plausible do.
    static func codec(_ start: ArraySlice<UInt8>) -> VideoCodec? {
        let bytes = Array(start)
        let units = AnnexB.nalUnitRanges(in: bytes).map { Array(bytes[$0]) }
        let h264 = score(units, H264NALUnit.self) { header in
            switch header.type.rawValue {
            case 1: true
            case 5, 7, 8: header.refIDC > 0
            case 6, 9...12: header.refIDC == 0
            default: false  // rare, and common as bytes of HEVC
            }
        }
        let hevc = score(units, HEVCNALUnit.self) { header in
            header.type.rawValue < 48 && header.layerID == 0 && !(10...15).contains(header.type.rawValue)
        }
        return h264 == hevc ? nil : h264 > hevc ? .h264 : .hevc
    }

    /// One for each plausible header, a hundred for each parameter set that can be read to its end.
    private static func score<Unit: CodedNALUnit>(
        _ units: [[UInt8]], _: Unit.Type, isPlausible: (Unit.Header) -> Bool
    ) -> Int {
        var context = Unit.Context()
        return units.reduce(0) { sum, unit in
            guard let header = try? Unit.Header(nalUnit: unit), isPlausible(header) else { return sum }
            guard header.type.isParameterSet, unit.count < 4096 else { return sum + 1 }
            return sum + (Unit.trace(unit, updating: &context).error == nil ? 100 : 0)
        }
    }
}
