// SPDX-License-Identifier: MIT

/// H.264 `nal_unit_type`, 0...31 (table 7-1).
public struct H264NALUnitType: NALUnitType {
    /// The code point.
    public var rawValue: Int

    /// Any code point.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Coded slice of a picture that is not an IDR picture.
    public static let slice = Self(rawValue: 1)
    /// Coded slice data partition A: slice header and motion.
    public static let slicePartitionA = Self(rawValue: 2)
    /// Coded slice data partition B: intra residual.
    public static let slicePartitionB = Self(rawValue: 3)
    /// Coded slice data partition C: inter residual.
    public static let slicePartitionC = Self(rawValue: 4)
    /// Coded slice of an IDR picture.
    public static let idrSlice = Self(rawValue: 5)
    /// Supplemental enhancement information.
    public static let sei = Self(rawValue: 6)
    /// Sequence parameter set.
    public static let sps = Self(rawValue: 7)
    /// Picture parameter set.
    public static let pps = Self(rawValue: 8)
    /// Access unit delimiter.
    public static let accessUnitDelimiter = Self(rawValue: 9)
    /// End of sequence: the next picture is an IDR picture.
    public static let endOfSequence = Self(rawValue: 10)
    /// End of stream.
    public static let endOfStream = Self(rawValue: 11)
    /// Filler data.
    public static let filler = Self(rawValue: 12)
    /// Sequence parameter set extension: alpha of auxiliary pictures.
    public static let spsExtension = Self(rawValue: 13)
    /// Prefix unit of SVC and MVC.
    public static let prefix = Self(rawValue: 14)
    /// Subset sequence parameter set of SVC and MVC.
    public static let subsetSPS = Self(rawValue: 15)
    /// Depth parameter set.
    public static let depthParameterSet = Self(rawValue: 16)
    /// Coded slice of an auxiliary picture.
    public static let auxiliarySlice = Self(rawValue: 19)
    /// Coded slice extension of SVC and MVC.
    public static let sliceExtension = Self(rawValue: 20)
    /// Coded slice extension of depth views.
    public static let depthSliceExtension = Self(rawValue: 21)

    /// The code points that the standard names.
    public static let names: [Int: String] = [
        0: "unspecified", 1: "slice", 2: "slice data partition A", 3: "slice data partition B",
        4: "slice data partition C", 5: "IDR slice", 6: "SEI", 7: "SPS", 8: "PPS", 9: "access unit delimiter",
        10: "end of sequence", 11: "end of stream", 12: "filler data", 13: "SPS extension", 14: "prefix",
        15: "subset SPS", 16: "depth parameter set", 19: "auxiliary slice", 20: "slice extension",
        21: "depth slice extension",
    ]

    /// Types 1...5 (table 7-1), and the slices of layers and views, 20 and 21, but not auxiliary slices, 19.
    public var isVCL: Bool { (1...5).contains(rawValue) || self == .sliceExtension || self == .depthSliceExtension }

    /// SPS, PPS and subset SPS.
    public var isParameterSet: Bool { self == .sps || self == .pps || self == .subsetSPS }

    /// Whether two or three more header bytes follow the first (7.3.1).
    var hasExtension: Bool { self == .prefix || self == .sliceExtension || self == .depthSliceExtension }
}
