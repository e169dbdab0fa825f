// SPDX-License-Identifier: MIT

extension SessionConfiguration {
    /// What is wrong with the configuration for one encoder, where a session names the first; empty where a session can
    /// be made of it.
    ///
    /// Each fault is looked for without the settings that were at fault before; one that no setting cures, such as the
    /// other codec, is the last. Does not block.
    ///
    /// - Parameters:
    ///   - encoder: As the back end listed it; without suspending by ``EncoderBackend/listEncoders()``.
    ///   - backend: The back end that listed it.
    /// - Returns: The errors, the one first that a session would be refused with.
    public func faults(with encoder: EncoderDescription, of backend: any EncoderBackend) -> [EncoderError] {
        var concessions = Concessions(configuration: self, encoder: encoder, backend: backend)
        var faults: [EncoderError] = []
        while let fault = concessions.fault {
            if !faults.contains(fault) { faults.append(fault) }
            guard let setting = fault.setting, concessions.drop(setting) else { break }
        }
        return faults
    }

    /// The configuration without what an encoder does not have or what conflicts: for callers who set one property
    /// after the other, and whose settings must not fail because of each other.
    ///
    /// What gives way is the setting that the error of a session would name:
    /// - reordering, and CABAC, to a profile that does not have them, and an entropy mode to HEVC;
    /// - a profile to deeper pictures, a level to the size, frame rate or bit rate that it does not allow, and a
    ///   bit-rate ceiling to a named level;
    /// - an average above the ceiling, which becomes the ceiling;
    /// - a smallest quantizer to a smaller largest one, and data-rate limits to a constant quantizer;
    /// - any setting that the encoder does not have, and any option that its library refuses or that contradicts a
    ///   setting.
    ///
    /// Of the doors to ``LiveSettings/rateControl`` the one that was set last counts.
    ///
    /// - Parameters:
    ///   - encoder: As the back end listed it; without suspending by ``EncoderBackend/listEncoders()``.
    ///   - backend: The back end that listed it.
    /// - Returns: A configuration that a session can be made with, and what gave way in it.
    /// - Throws: ``EncoderError`` for what is wrong whatever else is asked: a value out of range, a size or format that
    ///   the encoder does not take, the other codec.
    public func conceding(
        to encoder: EncoderDescription, of backend: any EncoderBackend
    ) throws(EncoderError) -> (configuration: SessionConfiguration, adjustments: [Adjustment]) {
        var concessions = Concessions(configuration: self, encoder: encoder, backend: backend)
        var adjustments: [Adjustment] = []
        while let fault = concessions.fault {
            guard let setting = fault.setting,
                [.conflictingSettings, .unsupported].contains(fault.code) || setting == .nativeOptions,
                let adjustment = concessions.concede(setting, fault.reason)
            else { throw fault }
            adjustments.append(adjustment)
        }
        return (concessions.configuration, adjustments)
    }
}

/// A configuration that loses what is at fault, setting by setting: each call leaves less to lose, so that it comes to
/// an end.
private struct Concessions {
    var configuration: SessionConfiguration
    let encoder: EncoderDescription
    let backend: any EncoderBackend

    /// What a session with this configuration would be refused with; nil where it would be made.
    var fault: EncoderError? {
        do throws(EncoderError) {
            try backend.check(
                try SettingsInForce(configuration: configuration, encoder: encoder).settings, for: encoder)
            return nil
        } catch {
            return error
        }
    }

    /// Takes away what is asked of a setting, or makes it legal where something must be asked; false where that changes
    /// nothing.
    mutating func drop(_ setting: Setting) -> Bool {
        let before = configuration
        switch setting {
        case .width: configuration.width = Self.side(configuration.width, encoder.capabilities.codedWidths)
        case .height: configuration.height = Self.side(configuration.height, encoder.capabilities.codedHeights)
        case .pixelFormat:
            let taken = PixelFormat.layouts.first(where: encoder.capabilities.directPixelFormats.contains)
            configuration.pixelFormat = taken ?? configuration.pixelFormat
        default: return give(setting)
        }
        return configuration != before
    }

    /// Lets a setting give way.
    mutating func concede(_ setting: Setting, _ reason: String) -> Adjustment? {
        guard let row = SettingRow.named(setting.rawValue), let requested = row.value(in: configuration), give(setting)
        else { return nil }
        return Adjustment(
            setting, requested: requested, used: row.value(in: configuration) ?? row.unset, reason: reason)
    }

    private mutating func give(_ setting: Setting) -> Bool {
        guard let row = SettingRow.named(setting.rawValue) else { return false }
        let before = configuration
        switch setting {
        case .profileLevel where configuration.profileLevel.profile != nil && configuration.profileLevel.level != nil:
            // A fault of one leaves the other.
            configuration.profileLevel.profile = nil
            if fault?.setting == .profileLevel {
                configuration.profileLevel = ProfileLevel(profile: before.profileLevel.profile)
            }
        case _ where setting == configuration.live.rateControl.setting:
            if let ceiling = RatePlanner.excess(in: configuration)?.ceiling, RateControl.legalBitRates.contains(ceiling)
            {
                configuration.live.rateControl.bitsPerSecond = ceiling
            } else {
                row.reset(in: &configuration)
            }
        case .nativeOptions where configuration.nativeOptions.count > 1:
            // The first that is at fault by itself goes alone.
            let index = configuration.nativeOptions.indices.first { index in
                var alone = self
                alone.configuration.nativeOptions = [configuration.nativeOptions[index]]
                return alone.fault?.setting == .nativeOptions
            }
            if let index { configuration.nativeOptions.remove(at: index) } else { row.reset(in: &configuration) }
        default: row.reset(in: &configuration)
        }
        return configuration != before
    }

    private static func side(_ side: Int, _ legal: ClosedRange<Int>) -> Int {
        min(max(side, 1), min(legal.upperBound, PixelBuffer.legalSides.upperBound))
    }
}
