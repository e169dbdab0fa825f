// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What must hold of a library's parameters after all native options, though each field alone says nothing of it.
package struct OptionRule<Parameters>: Sendable {
    /// A field of the library's parameters.
    package typealias Field = ParameterGroup<Parameters>.Field

    /// Why parameters break a rule.
    package struct Breach: Sendable {
        /// The setting that contradicts the option; nil where none does.
        package let setting: Setting?
        /// The end of a sentence.
        package let reason: String

        /// Notes one.
        package init(_ setting: Setting?, _ reason: String) { (self.setting, self.reason) = (setting, reason) }
    }

    /// The fields whose options are at fault.
    let fields: [Field]
    /// The fields that matter besides: an option that changed one of them contradicts the option at fault.
    let others: [Field]
    /// Whether options alone can break it: what settings made lacks it too, which does no harm.
    private(set) var isNeed = false
    /// Why parameters break it; nil for those that keep it.
    let breach: @Sendable (Parameters, ResolvedSettings) -> Breach?

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - fields: The fields whose options are at fault.
    ///   - others: The fields that matter besides.
    ///   - breach: Why parameters break it; nil for those that keep it.
    package init(
        _ fields: [Field], besides others: [Field] = [],
        _ breach: @escaping @Sendable (Parameters, ResolvedSettings) -> Breach?
    ) {
        (self.fields, self.others, self.breach) = (fields, others, breach)
    }

    /// Says that options have no effect without something else.
    ///
    /// - Parameters:
    ///   - fields: The fields that the options change.
    ///   - need: What the library needs to look at them, as messages call it.
    ///   - isMet: Whether it is there.
    /// - Returns: The rule.
    package static func need(
        _ fields: [Field], _ need: String, _ isMet: @escaping @Sendable (Parameters, ResolvedSettings) -> Bool
    ) -> Self {
        var rule = Self(fields) { isMet($0, $1) ? nil : Breach(nil, "it needs \(need)") }
        rule.isNeed = true
        return rule
    }
}

extension ParameterComparison {
    /// Refuses parameters that break a rule because of native options.
    ///
    /// - Parameter rules: Those of the library, looked at in order.
    /// - Throws: ``EncoderError`` that names the option, and the setting or the other option that it contradicts.
    package func check(_ rules: [OptionRule<Parameters>]) throws(EncoderError) {
        for rule in rules where rule.isNeed || rule.breach(wanted, settings) == nil {
            guard let breach = rule.breach(given, settings) else { continue }
            let besides = changedBy(rule.others)
            guard let index = changedBy(rule.fields).last ?? besides.last else { continue }
            let option = options[index]
            if let setting = breach.setting {
                throw option.refusal(contradicting: setting, settings, because: breach.reason)
            }
            throw option.refusal(besides: besides.last { $0 != index }.map { options[$0] }, because: breach.reason)
        }
    }

    /// The options that made fields what they are, in order.
    private func changedBy(_ fields: [ParameterGroup<Parameters>.Field]) -> [Int] {
        let changed = fields.filter { Self.text($0, in: wanted) != Self.text($0, in: given) }
        return Set(changed.compactMap { changes[$0] }).sorted()
    }
}

extension ResolvedSettings {
    /// The setting whose largest bit rate an average passes that a native option gives, as the breach of a rule.
    ///
    /// - Parameters:
    ///   - kilobits: The average in units of 1000 bit/s.
    ///   - levelBits: What the level in force allows, in bit/s; nil where there is none.
    /// - Returns: The setting that allows least; nil where all allow the average.
    package func breach<Parameters>(
        ofAverage kilobits: Int, levelBits: Int?
    ) -> OptionRule<Parameters>.Breach? {
        let bounds =
            [
                (setting: request.bitRateCeiling == nil ? nil : .bitRateCeiling, most: request.bitRateCeiling),
                (setting: live.rate.buffer == nil ? nil : askedBuffer, most: live.rate.buffer?.peakBitsPerSecond),
                (setting: askedLevel, most: levelBits),
            ] as [(setting: Setting?, most: Int?)]
        let passed = bounds.compactMap { bound -> (setting: Setting, most: Int)? in
            guard let setting = bound.setting, let most = bound.most, kilobits > most / 1000 else { return nil }
            return (setting, most)
        }
        guard let tightest = passed.min(by: { $0.most < $1.most }) else { return nil }
        return OptionRule.Breach(
            tightest.setting, "an average of \(kilobits * 1000) bit/s, expected at most \(tightest.most)")
    }

    /// The setting that fixes quantizers beforehand.
    package var askedFixedQuantizers: Setting? {
        switch live.rate.control {
        case .constantQuantizer, .quality(1): askedRate
        default: nil
        }
    }
}

extension X264Family {
    /// A rule that one code of H.273 is one that a stream can have.
    ///
    /// - Parameters:
    ///   - field: Where the code is.
    ///   - color: The code as a color whose other codes are unspecified; codes below 0 count as unspecified too.
    /// - Returns: The rule.
    package static func colorRule<Parameters>(
        _ field: ParameterGroup<Parameters>.Field, _ color: @escaping @Sendable (Parameters) -> ColorDescription
    ) -> OptionRule<Parameters> {
        OptionRule([field]) { parameters, _ in
            let color = color(parameters)
            let codes = [color.primaries, color.transfer, color.matrix]
            guard codes.allSatisfy({ $0 >= 0 }), color.legal(with: colors) != color else { return nil }
            return OptionRule.Breach(
                nil,
                "\(color.matrix == 0 ? "GBR is for 4:4:4 pictures" : "H.273 reserves the code"), expected "
                    + ColorDescription.legalCodes(with: colors))
        }
    }

    /// What both can write.
    private static let colors = capabilities(
        profiles: [], bitDepths: [8], directPixelFormats: [], codedWidths: 2...2, codedHeights: 2...2, settings: [],
        tunes: [])
}
