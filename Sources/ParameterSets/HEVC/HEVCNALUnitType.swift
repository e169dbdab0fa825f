// SPDX-License-Identifier: MIT

/// HEVC `nal_unit_type`, 0...63 (table 7-1).
public struct HEVCNALUnitType: NALUnitType {
    /// The code point.
    public var rawValue: Int

    /// Any code point.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Trailing picture that no picture of its sub-layer refers to.
    public static let trailN = Self(rawValue: 0)
    /// Trailing picture that may be referred to.
    public static let trailR = Self(rawValue: 1)
    /// Random access decodable leading picture that no picture of its sub-layer refers to.
    public static let radlN = Self(rawValue: 6)
    /// Random access decodable leading picture that may be referred to.
    public static let radlR = Self(rawValue: 7)
    /// Random access skipped leading picture that no picture of its sub-layer refers to.
    public static let raslN = Self(rawValue: 8)
    /// Random access skipped leading picture that may be referred to.
    public static let raslR = Self(rawValue: 9)
    /// Broken link access picture that may have leading pictures.
    public static let blaWLP = Self(rawValue: 16)
    /// Broken link access picture that may have decodable leading pictures.
    public static let blaWRADL = Self(rawValue: 17)
    /// Broken link access picture without leading pictures.
    public static let blaNLP = Self(rawValue: 18)
    /// Instantaneous decoding refresh picture that may have decodable leading pictures.
    public static let idrWRADL = Self(rawValue: 19)
    /// Instantaneous decoding refresh picture without leading pictures.
    public static let idrNLP = Self(rawValue: 20)
    /// Clean random access picture.
    public static let cra = Self(rawValue: 21)
    /// Video parameter set.
    public static let vps = Self(rawValue: 32)
    /// Sequence parameter set.
    public static let sps = Self(rawValue: 33)
    /// Picture parameter set.
    public static let pps = Self(rawValue: 34)
    /// Access unit delimiter.
    public static let accessUnitDelimiter = Self(rawValue: 35)
    /// End of sequence.
    public static let endOfSequence = Self(rawValue: 36)
    /// End of bitstream.
    public static let endOfBitstream = Self(rawValue: 37)
    /// Filler data.
    public static let filler = Self(rawValue: 38)
    /// Supplemental enhancement information before the slices.
    public static let prefixSEI = Self(rawValue: 39)
    /// Supplemental enhancement information behind the first slice segment of its picture.
    public static let suffixSEI = Self(rawValue: 40)

    /// The code points that the standard names.
    public static let names: [Int: String] = [
        0: "TRAIL_N", 1: "TRAIL_R", 2: "TSA_N", 3: "TSA_R", 4: "STSA_N", 5: "STSA_R", 6: "RADL_N", 7: "RADL_R",
        8: "RASL_N", 9: "RASL_R", 16: "BLA_W_LP", 17: "BLA_W_RADL", 18: "BLA_N_LP", 19: "IDR_W_RADL", 20: "IDR_N_LP",
        21: "CRA_NUT", 32: "VPS_NUT", 33: "SPS_NUT", 34: "PPS_NUT", 35: "AUD_NUT", 36: "EOS_NUT", 37: "EOB_NUT",
        38: "FD_NUT", 39: "PREFIX_SEI_NUT", 40: "SUFFIX_SEI_NUT",
    ]

    /// Types 0...31 carry slice segments.
    public var isVCL: Bool { rawValue < 32 }

    /// VPS, SPS and PPS.
    public var isParameterSet: Bool { (32...34).contains(rawValue) }

    /// Intra random access point pictures, 16...23: a decoder can start here.
    public var isIRAP: Bool { (16...23).contains(rawValue) }

    /// Instantaneous decoding refresh pictures, 19 and 20.
    public var isIDR: Bool { self == .idrWRADL || self == .idrNLP }

    /// Whether no picture of the same sub-layer refers to the picture: even types below 16 (table 7-1).
    public var isSublayerNonReference: Bool { rawValue < 16 && rawValue % 2 == 0 }

    /// RADL and RASL pictures, 6...9: after their IRAP picture in decoding order, before it in output order.
    public var isLeading: Bool { (6...9).contains(rawValue) }
}
