// SPDX-License-Identifier: MIT

extension SettingsResolver {
    /// Refuses values outside their ranges, whatever the encoder.
    func checkRanges() throws(EncoderError) {
        let live = configuration.live
        try check(configuration.maxKeyFrameInterval, in: 0...Self.largeCount, .maxKeyFrameInterval, unit: "frames")
        try check(
            configuration.maxKeyFrameIntervalDuration, in: 0...86_400, .maxKeyFrameIntervalDuration, unit: "seconds")
        try check(configuration.sourceFrameCount, in: 0...Self.largeCount, .sourceFrameCount, unit: "frames")
        try check(configuration.threadCount, in: 0...128, .threadCount, unit: "threads")
        if let count = configuration.maxFrameDelayCount {
            try check(count, in: 0...Self.largeCount, .maxFrameDelayCount, unit: "frames")
        }
        if configuration.bitRateCeiling != 0 {
            try check(configuration.bitRateCeiling, in: RatePlanner.legalBitRates, .bitRateCeiling, unit: "bit/s")
        }
        if let timescale = configuration.timescale {
            try check(Int(timescale), in: 1...Int(Int32.max), .timescale, unit: "ticks per second")
        }
        let rate = live.expectedFrameRate
        guard rate == .unknown || rate.isLegal,
            rate.numerator <= Int32.max, rate.denominator <= Int32.max
        else {
            throw EncoderError(
                .invalidValue, reason: "frame rate \(rate), expected 0 (unknown) or 0.01...1000 frames per second",
                setting: .expectedFrameRate)
        }
        if case .lengthPrefixed(let bytes) = configuration.framing, ![1, 2, 4].contains(bytes) {
            throw EncoderError(
                .invalidValue, reason: "NAL-unit lengths of \(bytes) bytes, expected 1, 2 or 4", setting: .framing)
        }
        if let ratio = configuration.pixelAspectRatio {
            try check(ratio.horizontalSpacing, in: 1...65535, .pixelAspectRatio, unit: "horizontally")
            try check(ratio.verticalSpacing, in: 1...65535, .pixelAspectRatio, unit: "vertically")
        }
        try configuration.color?.check()
    }

    /// Refuses what the encoder cannot do.
    func checkSupport() throws(EncoderError) {
        guard configuration.codec == capabilities.codec else {
            throw EncoderError(.unsupported, reason: "\(configuration.codec) with \(capabilities.identifier)")
        }
        for setting in configuration.settingsInUse where !capabilities.settings.contains(setting) {
            throw EncoderError(
                .unsupported, reason: "\(capabilities.identifier) has no \(setting) for \(capabilities.codec)",
                setting: setting)
        }
        try checkName(configuration.preset, in: capabilities.presets, .preset)
        // Libraries take several tunes at once, "psnr,zerolatency".
        for tune in configuration.tune?.split(separator: ",") ?? [] {
            try checkName(String(tune), in: capabilities.tunes, .tune)
        }
        try checkQuantizers()
    }

    private func checkQuantizers() throws(EncoderError) {
        let live = configuration.live
        let (low, high) = (live.minAllowedFrameQP, live.maxAllowedFrameQP)
        if let low { try check(low, in: capabilities.quantizers, .minAllowedFrameQP, unit: "(quantizer)") }
        if let high { try check(high, in: capabilities.quantizers, .maxAllowedFrameQP, unit: "(quantizer)") }
        if let low, let high, low > high {
            throw EncoderError(
                .conflictingSettings, reason: "smallest quantizer \(low) is above the largest, \(high)",
                setting: .minAllowedFrameQP)
        }
        switch live.rateControl {
        case .automatic, .averageBitRate: break
        case .quality(let quality): try check(quality, in: 0...1, .quality, unit: "")
        case .constantQuantizer(let quantizer):
            try check(quantizer, in: capabilities.quantizers, .constantQuantizer, unit: "(quantizer)")
            guard live.dataRateLimits.isEmpty else {
                throw EncoderError(
                    .conflictingSettings, reason: "a constant quantizer cannot keep a data-rate limit",
                    setting: .dataRateLimits)
            }
        case .constantRateFactor(let factor):
            try check(factor, in: capabilities.constantRateFactors ?? 0...51, .constantRateFactor, unit: "")
        }
    }

    /// Refuses combinations that the profile or codec excludes, before anything opens.
    func checkProfile(bitDepth: Int) throws(EncoderError) {
        if configuration.codec == .hevc, configuration.h264EntropyMode != nil {
            throw EncoderError(
                .conflictingSettings, reason: "an entropy mode with HEVC, which always uses CABAC",
                setting: .h264EntropyMode)
        }
        guard let profile = configuration.profileLevel.profile else {
            if configuration.profileLevel.level != nil { try checkLevel() }
            return
        }
        guard profile.codec == configuration.codec else {
            throw EncoderError(
                .conflictingSettings, reason: "profile \(profile.name) with \(configuration.codec)",
                setting: .profileLevel)
        }
        guard capabilities.profiles.contains(profile) else {
            throw EncoderError(
                .unsupported,
                reason: "profile \(profile.name) with \(capabilities.identifier), expected one of "
                    + capabilities.profiles.map(\.name).joined(separator: ", "),
                setting: .profileLevel)
        }
        guard bitDepth <= profile.maxBitDepth else {
            throw EncoderError(
                .conflictingSettings,
                reason: "\(configuration.pixelFormat.bitDepth)-bit pictures with profile \(profile.name), which has "
                    + "\(profile.maxBitDepth) bits", setting: .profileLevel)
        }
        if !profile.allowsCABAC, configuration.h264EntropyMode == .cabac {
            throw EncoderError(
                .conflictingSettings, reason: "CABAC with profile \(profile.name), which has only CAVLC",
                setting: .h264EntropyMode)
        }
        if !profile.allowsFrameReordering, configuration.allowFrameReordering == true {
            throw EncoderError(
                .conflictingSettings,
                reason: "frame reordering with profile \(profile.name), which has no B pictures",
                setting: .allowFrameReordering)
        }
        try checkLevel()
    }

    private func checkLevel() throws(EncoderError) {
        guard let level = configuration.profileLevel.level else { return }
        let legal = LevelPlanner.legalLevels(configuration.codec)
        guard legal.contains(level) else {
            throw EncoderError(
                .invalidValue,
                reason: "level \(level / 10).\(level % 10), expected one of "
                    + legal.map { "\($0 / 10).\($0 % 10)" }.joined(separator: ", "), setting: .profileLevel)
        }
    }

    // MARK: - Words

    /// Frames nobody has more of; keeps every library's 32-bit counters safe.
    private static let largeCount = 1 << 30

    private func check<Number: Comparable>(
        _ value: Number, in legal: ClosedRange<Number>, _ setting: Setting, unit: String
    ) throws(EncoderError) {
        // Not-a-number is in no range.
        guard legal.contains(value) else {
            throw EncoderError(
                .invalidValue,
                reason: "\(setting) \(value)\(unit.isEmpty ? "" : " " + unit), expected "
                    + "\(legal.lowerBound)...\(legal.upperBound)", setting: setting)
        }
    }

    private func checkName(_ name: String?, in legal: [String], _ setting: Setting) throws(EncoderError) {
        guard let name, !legal.contains(name) else { return }
        throw EncoderError(
            .invalidValue,
            reason: "\(setting.rawValue.lowercased()) \"\(name)\", expected one of \(legal.joined(separator: ", "))",
            setting: setting)
    }
}

extension SessionConfiguration {
    /// The settings that differ from "the encoder decides", so that an encoder must honour or refuse them.
    var settingsInUse: [Setting] {
        let uses: [(Setting, Bool)] = [
            (.realTime, realTime), (.profileLevel, profileLevel != .automatic),
            (.h264EntropyMode, h264EntropyMode != nil && codec == .h264),
            (.maxKeyFrameInterval, maxKeyFrameInterval != 0),
            (.maxKeyFrameIntervalDuration, maxKeyFrameIntervalDuration != 0),
            (.allowFrameReordering, allowFrameReordering != nil), (.allowOpenGOP, allowOpenGOP),
            (.maxFrameDelayCount, maxFrameDelayCount != nil), (.sourceFrameCount, sourceFrameCount != 0),
            (.bitRateCeiling, bitRateCeiling != 0), (.color, color != nil),
            (.pixelAspectRatio, pixelAspectRatio != nil), (.preset, preset != nil), (.tune, tune != nil),
            (.threadCount, threadCount != 0), (.nativeOptions, !nativeOptions.isEmpty),
            (.dataRateLimits, !live.dataRateLimits.isEmpty), (.minAllowedFrameQP, live.minAllowedFrameQP != nil),
            (.maxAllowedFrameQP, live.maxAllowedFrameQP != nil),
            (.expectedFrameRate, live.expectedFrameRate != .unknown),
        ]
        return uses.filter(\.1).map(\.0) + (live.rateControl.setting.map { [$0] } ?? [])
    }
}

extension RateControl {
    /// The setting a mode belongs to; nil for the encoder's default.
    var setting: Setting? {
        switch self {
        case .automatic: nil
        case .averageBitRate: .averageBitRate
        case .quality: .quality
        case .constantRateFactor: .constantRateFactor
        case .constantQuantizer: .constantQuantizer
        }
    }
}
