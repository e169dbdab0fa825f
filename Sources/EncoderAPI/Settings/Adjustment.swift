// SPDX-License-Identifier: MIT

/// One way in which the running session differs from what was asked, or from what it does by itself, and why.
public struct Adjustment: Sendable, Hashable, CustomStringConvertible {
    /// The setting that could not be honoured to the letter, or that a native option decides.
    public let setting: Setting
    /// What was asked, on the scale on which it was asked; or what an encoder does where nothing is.
    public let requested: String
    /// What is done instead.
    ///
    /// A value as ``SettingRow/value(in:)`` writes it, with the unit of the setting or without, is what
    /// ``CompressionSession/value(of:)`` tells. Other text leaves there the value that was asked for.
    public let used: String
    /// Why.
    public let reason: String

    /// Notes one difference.
    public init(_ setting: Setting, requested: String, used: String, reason: String) {
        self.setting = setting
        self.requested = requested
        self.used = used
        self.reason = reason
    }

    /// "AverageBitRate: 9000000 bit/s became 8000000 bit/s: the data-rate limits allow no more".
    public var description: String { "\(setting): \(requested) became \(used): \(reason)" }
}
