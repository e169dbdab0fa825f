// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench

extension OptionParsing {
    /// A variant such as `x264`, whose preset is left open, `x265:slow` or
    /// `x265:slow,tune=psnr,aq-mode=2,AllowFrameReordering=false`.
    static func variant(_ text: String) throws(OptionError) -> Variant {
        let recipe = try EncoderRecipe(text, refusing: refusedSettings)
        return Variant(
            encoder: recipe.kind.name, preset: recipe.preset, tune: recipe.tune, settings: recipe.settings)
    }

    /// Pairings separated by commas, each once.
    static func pairings(_ text: String) throws(OptionError) -> [Pairing] {
        let pairings = try list(text) { item throws(OptionError) in
            guard let pairing = Pairing.all.first(where: { $0.name == item }) else {
                let names = Pairing.all.map(\.name).joined(separator: ", ")
                throw OptionError(.unknownName, "'\(item)', expected one of \(names)")
            }
            return pairing
        }
        if Set(pairings.map(\.name)).count < pairings.count {
            throw OptionError(.repeated, "'\(text)' names a pairing twice")
        }
        return pairings
    }
}

extension Variant {
    /// The error of a session that refuses what this variant says, in the words of `--variant`.
    ///
    /// - Parameters:
    ///   - error: What the session says.
    ///   - others: Options of the library that all variants have, which may be at fault.
    /// - Returns: The error itself where it is about something else.
    func blamed(for error: EncoderError, amongOthers others: [NativeOption]) -> EncoderError {
        let names = settings.map { text in String(text.prefix { $0 != "=" }) }
        let isOwn =
            switch error.setting {
            case .preset?: preset != nil
            case .tune?: tune != nil
            case .nativeOptions?:
                names.contains { name in
                    SettingRow.named(name) == nil && (others.isEmpty || error.reason.contains("\"\(name)\""))
                }
            case let setting?: names.contains(setting.rawValue)
            case nil: false
            }
        guard isOwn else { return error }
        return EncoderError(error.code, reason: "--variant \(description): \(error)", setting: error.setting)
    }

    /// Refuses a preset where none of the encoders it is for has presets.
    static func check(preset: String?, of kinds: [EncoderKind]) throws(OptionError) {
        guard let preset, let first = kinds.first, kinds.allSatisfy({ !$0.hasPresets }) else { return }
        throw OptionError(.conflicting, "--preset \(preset): \(first.name) has no presets")
    }
}
