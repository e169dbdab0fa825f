// SPDX-License-Identifier: MIT

import ParameterSets

/// What the codecs differ in when their NAL units are shown.
protocol InspectableUnit: CodedNALUnit {
    /// What the header tells besides the type, by name, in words.
    static func words(_ header: Header) -> [Labelled<String>]

    /// 1 for a header as encoders write it, -1 for one they do not write, 0 in between.
    static func usualness(_ header: Header) -> Int

    /// Whether the unit is a sequence parameter set.
    static func isSequence(_ header: Header) -> Bool

    /// What a sequence parameter set says about pictures; nil when it cannot be read or leaves that to others.
    static func description(ofSequence nalUnit: some ByteView) -> (any SequenceParameterSet)?

    /// The letter of a `slice_type`.
    static func sliceTypeName(_ sliceType: Int) -> String
}

extension H264NALUnit: InspectableUnit {
    static func words(_ header: H264NALUnitHeader) -> [Labelled<String>] {
        // Table 7-1 only tells 0 from the rest; the words for 1...3 are those of players and analysers.
        [Labelled("nal_ref_idc", ["disposable", "low", "high", "highest"][header.refIdc & 3])]
    }

    static func usualness(_ header: H264NALUnitHeader) -> Int {
        // 7.4.1: never 0 for IDR slices and parameter sets, always 0 for SEI, delimiters, ends and filler.
        switch header.type.rawValue {
        case 5, 7, 8, 13, 15: header.refIdc != 0 ? 1 : -1
        case 6, 9...12: header.refIdc == 0 ? 1 : -1
        case 1...4, 14, 19, 20: 1
        default: -1
        }
    }

    static func isSequence(_ header: H264NALUnitHeader) -> Bool { header.type == .sps }

    static func description(ofSequence nalUnit: some ByteView) -> (any SequenceParameterSet)? {
        try? H264SPS(nalUnit: nalUnit)
    }

    static func sliceTypeName(_ sliceType: Int) -> String { ["P", "B", "I", "SP", "SI"][abs(sliceType) % 5] }
}

extension HEVCNALUnit: InspectableUnit {
    static func words(_ header: HEVCNALUnitHeader) -> [Labelled<String>] {
        [Labelled("layer", String(header.layerID)), Labelled("temporal_id", String(header.temporalID))]
    }

    static func usualness(_ header: HEVCNALUnitHeader) -> Int {
        // 62 and 63 are Dolby Vision's.
        guard HEVCNALUnitType.names[header.type.rawValue] != nil || header.type.rawValue >= 62 else { return -1 }
        return header.layerID == 0 ? 1 : header.layerID == 1 ? 0 : -1
    }

    static func isSequence(_ header: HEVCNALUnitHeader) -> Bool { header.type == .sps }

    static func description(ofSequence nalUnit: some ByteView) -> (any SequenceParameterSet)? {
        guard let sps = try? HEVCSPS(nalUnit: nalUnit), sps.multilayer == nil else { return nil }
        return sps
    }

    static func sliceTypeName(_ sliceType: Int) -> String { ["B", "P", "I"][abs(sliceType) % 3] }
}
