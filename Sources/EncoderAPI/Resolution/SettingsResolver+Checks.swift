// SPDX-License-Identifier: MIT

extension SettingsResolver {
    /// Refuses what the encoder does not have, and values that are not legal with it.
    func checkValues() throws(EncoderError) {
        guard configuration.codec == encoder.codec else {
            throw EncoderError(
                .unsupported, reason: "\(configuration.codec) with \(encoder.displayName), expected \(encoder.codec)")
        }
        if configuration.codec == .hevc, configuration.h264EntropyMode != nil {
            throw EncoderError(
                .conflictingSettings, reason: "an entropy mode with HEVC, which always uses CABAC",
                setting: .h264EntropyMode)
        }
        for row in SettingRow.all { try row.check(configuration, with: encoder) }
        try checkRates()
    }

    private func checkRates() throws(EncoderError) {
        let live = configuration.live
        if let low = live.minAllowedFrameQP, let high = live.maxAllowedFrameQP, low > high {
            throw EncoderError(
                .conflictingSettings, reason: "smallest quantizer \(low) is above the largest, \(high)",
                setting: .minAllowedFrameQP)
        }
        guard live.constantQuantizer == nil || live.dataRateLimits.isEmpty else {
            throw EncoderError(
                .conflictingSettings, reason: "a constant quantizer cannot keep a data-rate limit",
                setting: .dataRateLimits)
        }
        try checkVBV(live)
        if let (average, ceiling) = RatePlanner.excess(in: configuration) {
            throw EncoderError(
                .conflictingSettings,
                reason: "average bit rate \(average) bit/s is above the ceiling of \(ceiling) bit/s",
                setting: live.rateControl.setting)
        }
    }

    /// Refuses what describes a buffer that the mode does not have, and limits besides one that it has.
    private func checkVBV(_ live: LiveSettings) throws(EncoderError) {
        let mode = live.rateControl.setting.map { "\($0)" } ?? "the encoder's own rate"
        guard !live.rateControl.describesBuffer || live.dataRateLimits.isEmpty else {
            throw EncoderError(
                .conflictingSettings,
                reason: "data-rate limits with \(mode), whose buffer VBVBufferDuration describes, expected one of both",
                setting: .dataRateLimits)
        }
        if let most = live.vbvMaxBitRate {
            guard let rate = live.variableBitRate else {
                throw EncoderError(
                    .conflictingSettings, reason: "VBVMaxBitRate \(most) with \(mode), expected VariableBitRate",
                    setting: .vbvMaxBitRate)
            }
            let ceiling = configuration.bitRateCeiling ?? RateControl.legalBitRates.upperBound
            guard (rate...max(rate, ceiling)).contains(most) else {
                throw EncoderError(
                    .conflictingSettings,
                    reason: "VBVMaxBitRate \(most) bit/s with a VariableBitRate of \(rate) bit/s, expected "
                        + "\(rate)...\(max(rate, ceiling))", setting: .vbvMaxBitRate)
            }
        }
        guard !live.rateControl.describesBuffer else { return }
        let asked: [(Setting, Double?)] = [
            (.vbvBufferDuration, live.vbvBufferDuration), (.vbvInitialDelayPercentage, live.vbvInitialDelayPercentage),
        ]
        for (setting, value) in asked {
            guard let value else { continue }
            throw EncoderError(
                .conflictingSettings,
                reason: "\(setting) \(value) with \(mode), expected ConstantBitRate or VariableBitRate",
                setting: setting)
        }
    }

    /// Refuses combinations that the profile or codec excludes, before anything opens.
    func checkProfile(bitDepth: Int) throws(EncoderError) {
        guard let profile = configuration.profileLevel.profile else {
            if configuration.profileLevel.level != nil { try checkLevel() }
            return
        }
        guard profile.codec == configuration.codec else {
            throw EncoderError(
                .conflictingSettings,
                reason: "profile \(profile.name) with \(configuration.codec), expected one of "
                    + capabilities.profiles.map(\.name).joined(separator: ", "),
                setting: .profileLevel)
        }
        guard capabilities.profiles.contains(profile) else {
            throw EncoderError(
                .unsupported,
                reason: "profile \(profile.name) with \(encoder.displayName), expected one of "
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
                reason: "level \(ProfileLevel.name(level)), expected one of "
                    + legal.map(ProfileLevel.name).joined(separator: ", "), setting: .profileLevel)
        }
    }
}
