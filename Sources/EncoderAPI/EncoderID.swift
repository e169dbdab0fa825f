// SPDX-License-Identifier: MIT

/// The identity of one encoder: "x264.h264", "vaapi.renderD128.hevc".
///
/// The back end's identifier, the device where there is one, the codec, and what else tells two of its encoders apart,
/// separated by dots. It stays the same from call to call, and from run to run as long as the device does.
public struct EncoderID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The identity as text.
    public let rawValue: String

    /// Takes an identity that was kept as text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names an encoder in source code.
    public init(stringLiteral value: String) { rawValue = value }

    /// The identity as text.
    public var description: String { rawValue }
}
