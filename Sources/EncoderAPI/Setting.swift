// SPDX-License-Identifier: MIT

/// The name of one setting, as capabilities, adjustments and errors use it.
///
/// Settings that VideoToolbox has carry the payload of its property key: `kVTCompressionPropertyKey_AverageBitRate` is
/// "AverageBitRate". ``Setting/width``, ``Setting/height`` and ``Setting/pixelFormat`` have no ``SettingRow``; errors
/// and adjustments name them. VideoToolbox's TransferFunction and YCbCrMatrix are in ``Setting/color``,
/// "ColorPrimaries".
public struct Setting: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name, in VideoToolbox's spelling where VideoToolbox has the setting.
    public let rawValue: String

    /// Makes a name; back ends may have settings of their own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
}
