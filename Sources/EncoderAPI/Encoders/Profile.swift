// SPDX-License-Identifier: MIT

package import ParameterSets

/// A profile of H.264 (annex A) or HEVC (annex A).
@nonexhaustive
public enum Profile: String, Sendable, Hashable, CaseIterable {
    /// Baseline; what is produced also conforms to Constrained Baseline.
    case h264Baseline
    /// Constrained Baseline: no B pictures, no CABAC.
    case h264ConstrainedBaseline
    /// Main: B pictures and CABAC.
    case h264Main
    /// High: Main with 8x8 transforms.
    case h264High
    /// Constrained High: High without B pictures.
    case h264ConstrainedHigh
    /// High 10: High with up to ten bits.
    case h264High10
    /// Main: eight bits.
    case hevcMain
    /// Main 10: up to ten bits.
    case hevcMain10
    /// Main 12 of the range extensions: up to twelve bits.
    case hevcMain12
}

extension Profile {
    /// The standard the profile belongs to.
    public var codec: VideoCodec {
        switch self {
        case .h264Baseline, .h264ConstrainedBaseline, .h264Main, .h264High, .h264ConstrainedHigh, .h264High10: .h264
        case .hevcMain, .hevcMain10, .hevcMain12: .hevc
        }
    }

    /// The largest bit depth the profile allows: 8, 10 or 12.
    public var maxBitDepth: Int {
        switch self {
        case .h264High10, .hevcMain10: 10
        case .hevcMain12: 12
        default: 8
        }
    }

    /// Whether pictures may be coded in another order than they are shown.
    public var allowsFrameReordering: Bool {
        switch self {
        case .h264Baseline, .h264ConstrainedBaseline, .h264ConstrainedHigh: false
        default: true
        }
    }

    /// Whether CABAC may be used; HEVC always does.
    public var allowsCABAC: Bool { self != .h264Baseline && self != .h264ConstrainedBaseline }
}

extension Profile {
    /// The profile's name on a command line: "h264-constrained-baseline".
    public var name: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
    }
}

extension Profile {
    /// How an H.264 stream names the profile; nil for HEVC's.
    package var h264: H264Profile? {
        switch self {
        case .h264Baseline, .h264ConstrainedBaseline: .constrainedBaseline
        case .h264Main: .main
        case .h264High: .high
        case .h264ConstrainedHigh: .constrainedHigh
        case .h264High10: .high10
        case .hevcMain, .hevcMain10, .hevcMain12: nil
        }
    }

    /// `profile_idc` (H.264 A.2) or `general_profile_idc` (HEVC A.3); 4 stands for all of the range extensions.
    package var indicator: Int {
        switch self {
        case .hevcMain: 1
        case .hevcMain10: 2
        case .hevcMain12: 4
        default: h264?.profileIdc ?? 0
        }
    }
}
