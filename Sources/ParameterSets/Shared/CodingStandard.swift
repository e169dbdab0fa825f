// SPDX-License-Identifier: MIT

/// The two standards; parts that both have differ in a name at most.
public enum CodingStandard: Hashable, Sendable {
    /// ITU-T H.264, ISO/IEC 14496-10.
    case h264
    /// ITU-T H.265, ISO/IEC 23008-2.
    case hevc
}
