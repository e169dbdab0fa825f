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
        try EncoderRecipe.apply(settings, to: &configuration)
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
        let recipe = try EncoderRecipe(text, refusing: refusedSettings)
        return Variant(
            encoder: recipe.kind.name, preset: recipe.preset, tune: recipe.tune, settings: recipe.settings)
    }
}
