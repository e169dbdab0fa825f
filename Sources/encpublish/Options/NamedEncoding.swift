// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

/// A way to encode the input that outputs ask for by its name: `small=x265:fast,average-bit-rate=800k`.
struct NamedEncoding: Equatable, Sendable {
    /// Its name, letters, digits, `-` and `_`.
    let name: String
    /// The encoder and its codec.
    let choice: EncoderChoice
    /// The library's preset; nil for its own choice.
    let preset: String?
    /// The library's tune; nil for none.
    let tune: String?
    /// What decides the bits of a picture.
    let rate: RateControl
    /// Settings by their names, and options of the library: "NAME=VALUE".
    let settings: [String]

    private static let rates = ["average-bit-rate", "crf", "qp", "quality"]

    /// Reads the value of `--encoding`.
    ///
    /// - Throws: ``OptionError`` that names the part and what is legal.
    init(_ text: String) throws(OptionError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isName(parts[0]) else {
            throw OptionError(
                .malformed,
                "'\(text)', expected NAME=ENCODER:PRESET,SETTING=VALUE such as small=x265:fast,average-bit-rate=800k, "
                    + "the name of letters, digits, - and _")
        }
        let recipe = try EncoderRecipe(
            String(parts[1]), ownNames: Set(Self.rates + ["codec"]), refusing: EncodingOptions.refusedSettings)
        name = String(parts[0])
        choice = try EncoderChoice(
            encoder: recipe.kind, codec: try recipe.own["codec"].map(OptionParsing.codec), promised: nil)
        (preset, tune, settings) = (recipe.preset, recipe.tune, recipe.settings)
        rate = try Self.rate(recipe.own)
    }

    private static func rate(_ own: [String: String]) throws(OptionError) -> RateControl {
        let given = rates.filter { own[$0] != nil }
        guard given.count < 2 else {
            throw OptionError(.conflicting, "\(given.joined(separator: " and ")) exclude each other; give one of them")
        }
        if let text = own["average-bit-rate"] { return .averageBitRate(try OptionParsing.bitRate(text)) }
        if let text = own["crf"] { return .constantRateFactor(try OptionParsing.rateFactor(text)) }
        if let text = own["qp"] { return .constantQuantizer(try OptionParsing.quantizer(text)) }
        if let text = own["quality"] { return .quality(try OptionParsing.number(text, in: 0...1)) }
        return .automatic
    }

    /// Makes a configuration this encoding's.
    func apply(to configuration: inout SessionConfiguration) throws {
        configuration.live.rateControl = rate
        configuration.preset = preset
        if let tune { configuration.tune = tune }
        try EncoderRecipe.apply(settings, to: &configuration)
    }

    /// What the plan has of it.
    var planned: PublishPlan.Encoding {
        let hasMeanBitRate = if case .averageBitRate = rate { true } else { false }
        return PublishPlan.Encoding(
            name: name, choice: choice,
            hasMeanBitRate: hasMeanBitRate || settings.contains { $0.hasPrefix("\(Setting.averageBitRate.rawValue)=") })
    }

    /// Whether a text can be an encoding's name.
    static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
    }
}
