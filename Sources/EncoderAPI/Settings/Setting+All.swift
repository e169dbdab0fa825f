// SPDX-License-Identifier: MIT

// Each setting: its name, and the row that says what it is.

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
    /// ``LiveSettings/constantBitRate``.
    public static let constantBitRate = Setting(rawValue: "ConstantBitRate")
    /// ``LiveSettings/variableBitRate``.
    public static let variableBitRate = Setting(rawValue: "VariableBitRate")
    /// ``LiveSettings/vbvMaxBitRate``.
    public static let vbvMaxBitRate = Setting(rawValue: "VBVMaxBitRate")
    /// ``LiveSettings/vbvBufferDuration``.
    public static let vbvBufferDuration = Setting(rawValue: "VBVBufferDuration")
    /// ``LiveSettings/vbvInitialDelayPercentage``.
    public static let vbvInitialDelayPercentage = Setting(rawValue: "VBVInitialDelayPercentage")
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
    /// ``SessionConfiguration/pipelineCapacity``.
    public static let pipelineCapacity = Setting(rawValue: "PipelineCapacity")
}

// MARK: - Settings of the session alone

extension Setting {
    /// Settings that the session keeps whatever the encoder: every session has them, no capabilities list them.
    public static let keptBySession: Set<Setting> = [
        .width, .height, .pixelFormat, .framing, .timescale, .pipelineCapacity,
    ]
}

// MARK: - Rows

extension SettingRow {
    /// One row for each setting but codec, size and pixel format, which every session names, and parameter sets, which
    /// every session places.
    public static let all: [SettingRow] = rate + picture + structure + library + stream

    /// Frames nobody has more of; keeps every library's 32-bit counters safe.
    private static let frameCounts = SettingValues<Int>.numbers("a whole number", in: 1...1 << 30).optional
    private static let bitRates = SettingValues<Int>.numbers("a whole number", in: RateControl.legalBitRates).optional
    private static let quantizers = SettingValues<Int>.numbers("a whole number", in: \.quantizers)

    private static let rate: [SettingRow] = [
        SettingRow(
            .averageBitRate, \.live.averageBitRate, unset: nil, meaning: "the encoder decides", bitRates, unit: "bit/s",
            effect: .live, warns: true),
        SettingRow(
            .constantBitRate, \.live.constantBitRate, unset: nil, meaning: "the encoder decides", bitRates,
            unit: "bit/s", effect: .live, warns: true),
        SettingRow(
            .variableBitRate, \.live.variableBitRate, unset: nil, meaning: "the encoder decides", bitRates,
            unit: "bit/s", effect: .live, warns: true),
        SettingRow(
            .vbvMaxBitRate, \.live.vbvMaxBitRate, unset: nil, meaning: "twice the VariableBitRate", bitRates,
            unit: "bit/s", effect: .live),
        SettingRow(
            .vbvBufferDuration, \.live.vbvBufferDuration, unset: nil,
            meaning: "2.5 with a VariableBitRate, 0.15 with a ConstantBitRate",
            SettingValues<Double>.numbers("a number", in: 0.001...3600).optional, unit: "seconds", effect: .live),
        SettingRow(
            .vbvInitialDelayPercentage, \.live.vbvInitialDelayPercentage, unset: nil, meaning: "90",
            SettingValues<Double>.numbers("a number", in: 0...100).optional, unit: "percent", effect: .live),
        SettingRow(
            .quality, \.live.quality, unset: nil, meaning: "the encoder decides",
            SettingValues<Double>.numbers("a number", in: 0...1).optional, effect: .live),
        SettingRow(
            .constantRateFactor, \.live.constantRateFactor, unset: nil, meaning: "the encoder decides",
            SettingValues<Double>.numbers("a number") { $0.constantRateFactors ?? 0...51 }.optional, effect: .live),
        SettingRow(
            .constantQuantizer, \.live.constantQuantizer, unset: nil, meaning: "the encoder decides",
            quantizers.optional, unit: "(quantizer)", effect: .live),
        SettingRow(
            .dataRateLimits, \.live.dataRateLimits, unset: [], meaning: "no limit",
            SettingValues<DataRateLimit>.limits.list(separator: ","), effect: .live),
        SettingRow(
            .minAllowedFrameQP, \.live.minAllowedFrameQP, unset: nil, meaning: "the encoder's own", quantizers.optional,
            unit: "(quantizer)", effect: .live),
        SettingRow(
            .maxAllowedFrameQP, \.live.maxAllowedFrameQP, unset: nil, meaning: "the encoder's own", quantizers.optional,
            unit: "(quantizer)", effect: .live),
        SettingRow(
            .expectedFrameRate, \.live.expectedFrameRate, unset: nil, meaning: "the first frame's duration, or 30",
            SettingValues<FrameRate>.frameRates.optional, unit: "frames per second", effect: .live, isHint: true),
        SettingRow(
            .bitRateCeiling, \.bitRateCeiling, unset: nil, meaning: "the level is not pinned", bitRates, unit: "bit/s"),
    ]

    private static let structure: [SettingRow] = [
        SettingRow(
            .maxKeyFrameInterval, \.live.maxKeyFrameInterval, unset: nil, meaning: "the encoder decides", frameCounts,
            unit: "frames", effect: .live),
        SettingRow(
            .maxKeyFrameIntervalDuration, \.live.maxKeyFrameIntervalDuration, unset: nil, meaning: "no limit",
            SettingValues<Double>.numbers("a number", in: 0.001...86_400).optional, unit: "seconds", effect: .live),
        SettingRow(ofFrames: .forceKeyFrame, { $0.forceKeyFrame }, unset: false, meaning: "false", .flag),
        SettingRow(
            .allowFrameReordering, \.allowFrameReordering, unset: nil, meaning: "as the profile allows",
            SettingValues<Bool>.flag.optional),
        SettingRow(.allowOpenGOP, \.allowOpenGOP, unset: false, meaning: "false", .flag),
        SettingRow(
            .maxFrameDelayCount, \.maxFrameDelayCount, unset: nil, meaning: "no limit",
            SettingValues<Int>.numbers("a whole number", in: 0...1 << 30).optional, unit: "frames", warns: true),
        SettingRow(
            .sourceFrameCount, \.sourceFrameCount, unset: nil, meaning: "not known", frameCounts, unit: "frames",
            isHint: true),
        SettingRow(.realTime, \.realTime, unset: false, meaning: "false", .flag),
    ]

    private static let picture: [SettingRow] = [
        SettingRow(
            .profileLevel, \.profileLevel, unset: .automatic, meaning: "the encoder decides", .profileLevels),
        SettingRow(
            .h264EntropyMode, \.h264EntropyMode, unset: nil, meaning: "the encoder decides",
            SettingValues<H264EntropyMode>.cases.optional),
        SettingRow(
            .color, \.color, unset: nil, meaning: "nothing is signalled",
            SettingValues<ColorDescription>.codePoints.optional),
        SettingRow(
            .pixelAspectRatio, \.pixelAspectRatio, unset: nil, meaning: "nothing is signalled: square",
            SettingValues<PixelAspectRatio>.ratios.optional),
    ]

    private static let library: [SettingRow] = [
        SettingRow(
            .preset, \.preset, unset: nil, meaning: "the library's default",
            SettingValues<String>.names(\.presets).optional),
        SettingRow(
            .tune, \.tune, unset: nil, meaning: "none", SettingValues<String>.names(severally: true, \.tunes).optional),
        SettingRow(
            .threadCount, \.threadCount, unset: nil, meaning: "the library decides",
            SettingValues<Int>.numbers("a whole number", in: 1...128).optional, unit: "threads"),
        SettingRow(
            .nativeOptions, \.nativeOptions, unset: [], meaning: "none",
            SettingValues<NativeOption>.options.list(separator: ":")),
    ]

    private static let stream: [SettingRow] = [
        SettingRow(
            .framing, \.framing, unset: .lengthPrefixed(), meaning: "lengths of four bytes", .framings),
        SettingRow(
            .timescale, \.timescale, unset: nil, meaning: "the first frame's",
            SettingValues<Int32>.numbers("a whole number", in: 1...Int32.max).optional, unit: "ticks per second"),
        SettingRow(
            .pipelineCapacity, \.pipelineCapacity, unset: nil, meaning: "as many as 16 MiB hold, 2 to 16",
            SettingValues<Int>.numbers("a whole number", in: SessionConfiguration.pipelineCapacities).optional,
            unit: "frames"),
    ]
}
