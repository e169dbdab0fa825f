// SPDX-License-Identifier: MIT

/// What separates the NAL units of an access unit.
@nonexhaustive
public enum StreamFraming: Sendable, Hashable {
    /// A four-byte start code 00 00 00 01 before each (annex B of both standards).
    case annexB
    /// A big-endian length of 1, 2 or 4 bytes before each, as in MP4 (ISO/IEC 14496-15).
    ///
    /// `.lengthPrefixed()` is four bytes, as VideoToolbox gives.
    case lengthPrefixed(bytes: Int = 4)

    /// Bytes before each NAL unit.
    public var prefixLength: Int {
        switch self {
        case .annexB: 4
        case .lengthPrefixed(let bytes): bytes
        }
    }
}

/// Where the parameter sets travel; they are always in ``AccessUnit/format`` too.
@nonexhaustive
public enum ParameterSetPlacement: Sendable, Hashable, CaseIterable {
    /// Only in the format description.
    case outOfBand
    /// In the access unit of the first frame and of each frame that starts with changed sets.
    case firstAndOnChange
    /// In the access unit of every sync frame, and of every partial one.
    case everySyncFrame
}
