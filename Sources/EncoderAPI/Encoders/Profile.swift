// SPDX-License-Identifier: MIT

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
        switch self {
        case .h264Baseline: "h264-baseline"
        case .h264ConstrainedBaseline: "h264-constrained-baseline"
        case .h264Main: "h264-main"
        case .h264High: "h264-high"
        case .h264ConstrainedHigh: "h264-constrained-high"
        case .h264High10: "h264-high10"
        case .hevcMain: "hevc-main"
        case .hevcMain10: "hevc-main10"
        case .hevcMain12: "hevc-main12"
        }
    }
}
