// SPDX-License-Identifier: MIT

/// A profile: `profile_idc` with the constraint flags that narrow it (A.2; annexes G to J for layers and views).
public struct H264Profile: Hashable, Sendable {
    /// `profile_idc`, 0...255.
    public var profileIdc: Int
    /// The flags that go with it.
    public var constraints: H264Constraints

    /// Makes a profile of what an SPS says.
    public init(profileIdc: Int, constraints: H264Constraints = .init()) {
        self.profileIdc = profileIdc
        self.constraints = constraints
    }

    /// Baseline: no B slices, no CABAC, but slice groups.
    public static let baseline = Self(profileIdc: 66)
    /// What Baseline and Main have in common.
    public static let constrainedBaseline = Self(profileIdc: 66) { $0.set1 = true }
    /// B slices, CABAC, fields.
    public static let main = Self(profileIdc: 77)
    /// Baseline with B slices, data partitions and SP slices.
    public static let extended = Self(profileIdc: 88)
    /// Main with 8x8 transform and scaling lists.
    public static let high = Self(profileIdc: 100)
    /// High without fields.
    public static let progressiveHigh = Self(profileIdc: 100) { $0.set4 = true }
    /// High without fields and B slices.
    public static let constrainedHigh = Self(profileIdc: 100) {
        $0.set4 = true
        $0.set5 = true
    }
    /// High with 10 bits.
    public static let high10 = Self(profileIdc: 110)
    /// High 10 of intra pictures only.
    public static let high10Intra = Self(profileIdc: 110) { $0.set3 = true }
    /// High 10 with 4:2:2.
    public static let high422 = Self(profileIdc: 122)
    /// High 4:2:2 of intra pictures only.
    public static let high422Intra = Self(profileIdc: 122) { $0.set3 = true }
    /// High with 4:4:4, 14 bits and lossless coding.
    public static let high444Predictive = Self(profileIdc: 244)
    /// High 4:4:4 Predictive of intra pictures only.
    public static let high444Intra = Self(profileIdc: 244) { $0.set3 = true }
    /// 4:4:4 intra pictures without CABAC.
    public static let cavlc444Intra = Self(profileIdc: 44)

    private init(profileIdc: Int, _ constrain: (inout H264Constraints) -> Void) {
        self.init(profileIdc: profileIdc)
        constrain(&constraints)
    }

    /// Whether all pictures are IDR pictures: profile 44, and `constraint_set3_flag` in 86, 100, 110, 122 and 244.
    public var isIntraOnly: Bool {
        profileIdc == 44 || (constraints.set3 && [86, 100, 110, 122, 244].contains(profileIdc))
    }

    /// `cpbBrVclFactor`: bits in a unit of the level's rate and buffer limits (table A-2).
    public var vclFactor: Int {
        switch profileIdc {
        case 100, 118, 128, 138, 139, 86: 1250
        case 110: 3000
        case 122, 244, 44: 4000
        default: 1000
        }
    }
}

extension H264Profile: CustomStringConvertible {
    /// The standard's name, or the number of a profile it does not name.
    public var description: String {
        switch profileIdc {
        case 44: "CAVLC 4:4:4 Intra"
        case 66: constraints.set1 ? "Constrained Baseline" : "Baseline"
        case 77: "Main"
        case 88: "Extended"
        case 83: constraints.set5 ? "Scalable Constrained Baseline" : "Scalable Baseline"
        case 86: constraints.set3 ? "Scalable High Intra" : "Scalable High"
        case 100 where constraints.set4: constraints.set5 ? "Constrained High" : "Progressive High"
        case 100: "High"
        case 110: constraints.set3 ? "High 10 Intra" : "High 10"
        case 118: "Multiview High"
        case 122: constraints.set3 ? "High 4:2:2 Intra" : "High 4:2:2"
        case 128: "Stereo High"
        case 134: "MFC High"
        case 135: "MFC Depth High"
        case 138: "Multiview Depth High"
        case 139: "Enhanced Multiview Depth High"
        case 244: constraints.set3 ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
        default: "profile \(profileIdc)"
        }
    }
}
