// SPDX-License-Identifier: MIT

/// A video coding standard.
@nonexhaustive
public enum VideoCodec: String, Hashable, Sendable, CaseIterable {
    /// ITU-T H.264, ISO/IEC 14496-10 (AVC).
    case h264
    /// ITU-T H.265, ISO/IEC 23008-2 (HEVC).
    case hevc
}

extension VideoCodec: CustomStringConvertible {
    /// The name as the field spells it: "H.264" or "HEVC".
    public var description: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        }
    }
}
