// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

/// One way to encode: an encoder with a preset and whatever else is set apart from the others.
struct Variant: Codable, Hashable, Sendable {
    /// The encoder's name in options.
    var encoder: String
    /// The library's preset; nil where it has none.
    var preset: String?
    /// The library's tune; nil for that of all variants.
    var tune: String?
    /// Settings by their names in the API, and options of the library: "NAME=VALUE".
    var settings: [String] = []
    /// A name in place of all that; nil for none.
    var name: String?

    /// What reports call it: "x264 medium", "x265 slow psnr aq-mode=2", or its name.
    var label: String {
        if let name { return name }
        return description
    }

    /// What it is made of, whatever its name.
    var description: String {
        ([encoder, preset, tune].compactMap { $0 } + settings).joined(separator: " ")
    }

    /// Refuses a preset where none of the encoders it is for has presets.
    static func check(preset: String?, of kinds: [EncoderKind]) throws(OptionError) {
        guard let preset, let first = kinds.first, kinds.allSatisfy({ !$0.hasPresets }) else { return }
        throw OptionError(.conflicting, "--preset \(preset): \(first.name) has no presets")
    }

    /// This variant with preset medium where nobody named one, unless it is set up for real time: libraries have
    /// presets for that.
    func withUsualPreset(realTime: Bool) throws(OptionError) -> Variant {
        guard preset == nil, !realTime, !settings.contains("RealTime=true"), try kind.hasPresets else { return self }
        var variant = self
        variant.preset = "medium"
        return variant
    }

    /// The encoder.
    var kind: EncoderKind { get throws(OptionError) { try OptionParsing.encoder(encoder) } }

    /// Makes a configuration this variant's.
    func apply(to configuration: inout SessionConfiguration) throws {
        configuration.preset = preset
        if let tune { configuration.tune = tune }
        for text in settings {
            let name = text.split(separator: "=", maxSplits: 1).first.map(String.init) ?? text
            if SettingRow.named(name) == nil {
                configuration.nativeOptions.append(try OptionParsing.nativeOption(text))
            } else {
                try OptionParsing.assignment(text).apply(to: &configuration)
            }
        }
    }
}

extension Variant {
    /// Variants of encoders and presets, and which are compared: within each preset with the first encoder, or, where
    /// there is but one encoder, with its first preset.
    static func paired(
        encoders: [EncoderKind], presets: [[String?]]
    ) -> (variants: [Variant], pairs: [Study.Pair]) {
        var variants: [Variant] = []
        var pairs: [Study.Pair] = []
        func place(_ variant: Variant) -> Int {
            if let index = variants.firstIndex(of: variant) { return index }
            variants.append(variant)
            return variants.count - 1
        }
        for names in presets {
            let places = encoders.enumerated().map { index, kind in
                place(
                    Variant(
                        encoder: kind.name, preset: kind.hasPresets ? names[names.count == 1 ? 0 : index] : nil))
            }
            let anchor = encoders.count == 1 ? 0 : places[0]
            for test in places where test != anchor {
                let pair = Study.Pair(anchor: anchor, test: test)
                if !pairs.contains(pair) { pairs.append(pair) }
            }
        }
        return (variants, pairs)
    }
}

extension OptionParsing {
    /// A variant such as `x264`, whose preset is left open, `x265:slow` or
    /// `x265:slow,tune=psnr,aq-mode=2,AllowFrameReordering=false`.
    static func variant(_ text: String) throws(OptionError) -> Variant {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let names = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let kind = try encoder(names[0])
        guard names.count <= 2, names.last != "" else {
            throw OptionError(.malformed, "'\(parts[0])', expected ENCODER or ENCODER:PRESET such as x265:slow")
        }
        guard names.count == 1 || kind.hasPresets else {
            throw OptionError(.unusable, "'\(parts[0])': \(kind.name) has no presets")
        }
        var variant = Variant(encoder: kind.name, preset: names.count == 2 ? names[1] : nil)
        for part in parts.dropFirst() {
            let option = try nativeOption(part)
            switch option.name {
            case "tune": variant.tune = option.value
            default:
                if SettingRow.named(option.name) != nil { _ = try assignment(part) }
                variant.settings.append(part)
            }
        }
        return variant
    }
}
