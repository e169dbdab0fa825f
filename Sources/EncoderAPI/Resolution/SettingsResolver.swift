// SPDX-License-Identifier: MIT

/// Turns a configuration into an encoder's terms, or says why it cannot be: pure, the same for every back end.
struct SettingsResolver {
    let configuration: SessionConfiguration
    let capabilities: EncoderCapabilities
    private(set) var adjustments: [Adjustment] = []

    init(configuration: SessionConfiguration, capabilities: EncoderCapabilities) {
        self.configuration = configuration
        self.capabilities = capabilities
    }

    /// Checks everything and decides what all back ends decide alike.
    ///
    /// Frame rate and timescale are those of the configuration; the session fills in what only the first frame can tell.
    mutating func resolve() throws(EncoderError) -> ResolvedSettings {
        try checkRanges()
        try checkSupport()
        let bitDepth = try resolveBitDepth()
        try checkProfile(bitDepth: bitDepth)
        let size = try resolveSize()
        let live = configuration.live
        let planned = try RatePlanner(configuration: configuration).plan()
        adjustments += planned.adjustments
        var settings = ResolvedSettings(
            codec: configuration.codec, width: configuration.width, height: configuration.height,
            codedWidth: size.width, codedHeight: size.height,
            pixelFormat: try resolvePixelFormat(bitDepth: bitDepth), bitDepth: bitDepth,
            profile: configuration.profileLevel.profile, level: configuration.profileLevel.level,
            entropyMode: configuration.h264EntropyMode, realTime: configuration.realTime,
            maxKeyFrameInterval: configuration.maxKeyFrameInterval,
            allowFrameReordering: resolveReordering(), allowOpenGOP: configuration.allowOpenGOP,
            maxFrameDelayCount: configuration.maxFrameDelayCount, sourceFrameCount: configuration.sourceFrameCount,
            rate: planned.rate, minQP: live.minAllowedFrameQP, maxQP: live.maxAllowedFrameQP,
            frameRate: live.expectedFrameRate, isFrameRateKnown: live.expectedFrameRate.isKnown,
            timescale: configuration.timescale ?? 0, color: configuration.color,
            pixelAspectRatio: configuration.pixelAspectRatio, preset: configuration.preset, tune: configuration.tune,
            threadCount: configuration.threadCount, nativeOptions: configuration.nativeOptions)
        settings.maxKeyFrameIntervalDuration = configuration.maxKeyFrameIntervalDuration
        if configuration.bitRateCeiling > 0 {
            settings.isLevelFromCeiling = settings.level == nil
            settings.level = try LevelPlanner.pinnedLevel(for: configuration, settings: settings)
        }
        return settings
    }

    // MARK: - Picture

    private mutating func resolveSize() throws(EncoderError) -> (width: Int, height: Int) {
        let width = try coded(configuration.width, legal: capabilities.codedWidths, setting: .width)
        let height = try coded(configuration.height, legal: capabilities.codedHeights, setting: .height)
        return (width, height)
    }

    private mutating func coded(
        _ side: Int, legal: ClosedRange<Int>, setting: Setting
    ) throws(EncoderError) -> Int {
        let alignment = max(capabilities.sizeAlignment, 1)
        let largest = min(legal.upperBound, PixelBuffer.legalSides.upperBound)
        // A side that is out of range is not calculated with.
        let coded = (min(max(side, legal.lowerBound), largest) + alignment - 1) / alignment * alignment
        guard side >= 1, side <= largest, coded <= largest else {
            throw EncoderError(
                .invalidValue, reason: "\(setting.rawValue.lowercased()) \(side), expected 1...\(largest)",
                setting: setting)
        }
        if coded != side {
            adjustments.append(
                Adjustment(
                    setting, requested: "\(side)", used: "\(coded) coded",
                    reason: side < legal.lowerBound
                        ? "the encoder takes \(legal.lowerBound) or more; the edge is repeated and cropped again"
                        : "4:2:0 pictures have even sides; the edge is repeated"))
        }
        return coded
    }

    private func resolveBitDepth() throws(EncoderError) -> Int {
        let source = configuration.pixelFormat.bitDepth
        let depth =
            configuration.profileLevel.profile.map { profile in
                // A profile named for more bits is asked for because of them.
                max(source, profile.maxBitDepth)
            } ?? source
        guard capabilities.bitDepths.contains(depth) else {
            throw EncoderError(
                .unsupported,
                reason: "\(depth) bits with \(capabilities.identifier), expected one of \(capabilities.bitDepths)",
                setting: .pixelFormat)
        }
        return depth
    }

    private mutating func resolvePixelFormat(bitDepth: Int) throws(EncoderError) -> PixelFormat {
        let source = configuration.pixelFormat
        if source.bitDepth == bitDepth, capabilities.directPixelFormats.contains(source) { return source }
        let candidates = PixelFormat.allCases.filter {
            $0.bitDepth == bitDepth && capabilities.directPixelFormats.contains($0)
        }
        // Keeping the plane structure makes the one conversion cheaper.
        guard let target = candidates.first(where: { $0.isBiplanar == source.isBiplanar }) ?? candidates.first else {
            throw EncoderError(
                .unsupportedPixelFormat, reason: "\(source) at \(bitDepth) bits with \(capabilities.identifier)",
                setting: .pixelFormat)
        }
        adjustments.append(
            Adjustment(
                .pixelFormat, requested: "\(source)", used: "\(target)",
                reason: "\(capabilities.identifier) does not take the layout; each picture is converted once"))
        return target
    }

    private func resolveReordering() -> Bool {
        configuration.allowFrameReordering ?? configuration.profileLevel.profile?.allowsFrameReordering ?? true
    }
}
