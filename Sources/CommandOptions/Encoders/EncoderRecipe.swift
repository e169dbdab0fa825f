// SPDX-License-Identifier: MIT

package import EncoderAPI

/// An encoder with a preset and settings of its own, in one text: `x265:slow,tune=psnr,aq-mode=2,RealTime=true`.
package struct EncoderRecipe: Sendable, Hashable {
    /// The encoder.
    package var kind: EncoderKind
    /// The library's preset; nil for its own choice.
    package var preset: String?
    /// The library's tune; nil for none.
    package var tune: String?
    /// Settings by their names in the API, and options of the library: "NAME=VALUE".
    package var settings: [String] = []
    /// The values of names that the program reads itself.
    package var own: [String: String] = [:]

    /// Reads an encoder, perhaps with a colon and a preset, and settings behind commas.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - ownNames: Names in the place of settings whose values the program reads itself.
    ///   - refused: Settings that the program decides itself, each with the reason.
    /// - Throws: ``OptionError`` that names the part and what is legal.
    package init(
        _ text: String, ownNames: Set<String> = [], refusing refused: [Setting: String] = [:]
    ) throws(OptionError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let names = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        kind = try OptionParsing.encoder(names[0])
        guard names.count <= 2, names.last != "" else {
            throw OptionError(.malformed, "'\(parts[0])', expected ENCODER or ENCODER:PRESET such as x265:slow")
        }
        guard names.count == 1 || kind.hasPresets else {
            throw OptionError(.unusable, "'\(parts[0])': \(kind.name) has no presets")
        }
        preset = names.count == 2 ? names[1] : nil
        for part in parts.dropFirst() {
            let option = try OptionParsing.nativeOption(part)
            if ownNames.contains(option.name) {
                guard own.updateValue(option.value ?? "", forKey: option.name) == nil else {
                    throw OptionError(.repeated, "\(option.name) is given twice in '\(text)'")
                }
            } else if option.name == "tune" {
                tune = option.value
            } else {
                if SettingRow.named(option.name) != nil {
                    _ = try OptionParsing.assignment(part, refusing: refused)
                }
                settings.append(part)
            }
        }
    }

    /// Makes settings and options of the library a configuration's.
    package static func apply(_ settings: [String], to configuration: inout SessionConfiguration) throws {
        for text in settings {
            let name = text.split(separator: "=", maxSplits: 1).first.map(String.init) ?? text
            if SettingRow.named(name) == nil {
                configuration.nativeOptions.append(try OptionParsing.nativeOption(text))
            } else {
                try OptionParsing.assignment(text, refusing: [:]).apply(to: &configuration)
            }
        }
    }
}
