// SPDX-License-Identifier: MIT

package import ParameterSets

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
