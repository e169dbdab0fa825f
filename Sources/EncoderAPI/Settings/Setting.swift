// SPDX-License-Identifier: MIT

/// The name of one setting, as capabilities, adjustments and errors use it.
///
/// Settings that VideoToolbox has carry the payload of its property key: `kVTCompressionPropertyKey_AverageBitRate` is
/// "AverageBitRate".
public struct Setting: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name, in VideoToolbox's spelling where VideoToolbox has the setting.
    public let rawValue: String

    /// Makes a name; back ends may have settings of their own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
}

// MARK: - Settings that VideoToolbox has

extension Setting {
    /// ``SessionConfiguration/realTime``.
    public static let realTime = Setting(rawValue: "RealTime")
    /// ``SessionConfiguration/profileLevel``.
    public static let profileLevel = Setting(rawValue: "ProfileLevel")
    /// ``LiveSettings/maxKeyFrameInterval``.
    public static let maxKeyFrameInterval = Setting(rawValue: "MaxKeyFrameInterval")
    /// ``LiveSettings/maxKeyFrameIntervalDuration``.
    public static let maxKeyFrameIntervalDuration = Setting(rawValue: "MaxKeyFrameIntervalDuration")
    /// ``LiveSettings/averageBitRate``.
    public static let averageBitRate = Setting(rawValue: "AverageBitRate")
    /// ``LiveSettings/dataRateLimits``.
    public static let dataRateLimits = Setting(rawValue: "DataRateLimits")
    /// ``SessionConfiguration/allowFrameReordering``.
    public static let allowFrameReordering = Setting(rawValue: "AllowFrameReordering")
    /// ``SessionConfiguration/allowOpenGOP``.
    public static let allowOpenGOP = Setting(rawValue: "AllowOpenGOP")
    /// ``SessionConfiguration/h264EntropyMode``.
    public static let h264EntropyMode = Setting(rawValue: "H264EntropyMode")
    /// ``LiveSettings/expectedFrameRate``.
    public static let expectedFrameRate = Setting(rawValue: "ExpectedFrameRate")
    /// ``SessionConfiguration/maxFrameDelayCount``.
    public static let maxFrameDelayCount = Setting(rawValue: "MaxFrameDelayCount")
    /// ``SessionConfiguration/sourceFrameCount``.
    public static let sourceFrameCount = Setting(rawValue: "SourceFrameCount")
    /// ``LiveSettings/quality``.
    public static let quality = Setting(rawValue: "Quality")
    /// ``LiveSettings/minAllowedFrameQP``.
    public static let minAllowedFrameQP = Setting(rawValue: "MinAllowedFrameQP")
    /// ``LiveSettings/maxAllowedFrameQP``.
    public static let maxAllowedFrameQP = Setting(rawValue: "MaxAllowedFrameQP")
    /// ``FrameOptions/forceKeyFrame``.
    public static let forceKeyFrame = Setting(rawValue: "ForceKeyFrame")
    /// ``SessionConfiguration/pixelAspectRatio``.
    public static let pixelAspectRatio = Setting(rawValue: "PixelAspectRatio")
    /// ``SessionConfiguration/color``: VideoToolbox's ColorPrimaries, TransferFunction and YCbCrMatrix in one.
    public static let color = Setting(rawValue: "ColorPrimaries")
}

// MARK: - Settings of our own

extension Setting {
    /// ``SessionConfiguration/width``.
    public static let width = Setting(rawValue: "Width")
    /// ``SessionConfiguration/height``.
    public static let height = Setting(rawValue: "Height")
    /// ``SessionConfiguration/pixelFormat``.
    public static let pixelFormat = Setting(rawValue: "PixelFormat")
    /// ``SessionConfiguration/bitRateCeiling``.
    public static let bitRateCeiling = Setting(rawValue: "BitRateCeiling")
    /// ``RateControl/constantRateFactor(_:)``.
    public static let constantRateFactor = Setting(rawValue: "ConstantRateFactor")
    /// ``RateControl/constantQuantizer(_:)``.
    public static let constantQuantizer = Setting(rawValue: "ConstantQuantizer")
    /// ``SessionConfiguration/framing``.
    public static let framing = Setting(rawValue: "Framing")
    /// ``SessionConfiguration/preset``.
    public static let preset = Setting(rawValue: "Preset")
    /// ``SessionConfiguration/tune``.
    public static let tune = Setting(rawValue: "Tune")
    /// ``SessionConfiguration/threadCount``.
    public static let threadCount = Setting(rawValue: "ThreadCount")
    /// ``SessionConfiguration/nativeOptions``.
    public static let nativeOptions = Setting(rawValue: "NativeOptions")
    /// ``SessionConfiguration/timescale``.
    public static let timescale = Setting(rawValue: "Timescale")
}

// MARK: - Settings of the session alone

extension Setting {
    /// Settings that the session keeps whatever the encoder: every session has them, no capabilities list them.
    public static let keptBySession: Set<Setting> = [.width, .height, .pixelFormat, .framing, .timescale]
}
