// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI

/// The points of a curve in `compare`: one list, or the default of each encoder.
struct RateListOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Constant rate factors, 0 to 51; default: 17,21,25,29,33, for x265 one higher each.", valueName: "list"),
        transform: OptionParsing.rateFactors)
    var crf: [Double] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Quantizers, 0 to 51, such as 22,27,32,37.", valueName: "list"),
        transform: OptionParsing.quantizers)
    var qp: [Int] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Mean bit rates in bit/s, such as 500k,1M,2M,4M.", valueName: "list"),
        transform: OptionParsing.bitRates)
    var averageBitRate: [Int] = []

    func validate() throws {
        let given = [
            ("--crf", !crf.isEmpty), ("--qp", !qp.isEmpty), ("--average-bit-rate", !averageBitRate.isEmpty),
        ].filter(\.1).map(\.0)
        if given.count > 1 {
            throw ValidationError("\(given.joined(separator: " and ")) exclude each other; give one of them")
        }
    }

    /// The rates to encode at, best first for the defaults.
    func rates(for kind: EncoderKind) -> [RateControl] {
        if !crf.isEmpty { return crf.map(RateControl.constantRateFactor) }
        if !qp.isEmpty { return qp.map(RateControl.constantQuantizer) }
        if !averageBitRate.isEmpty { return averageBitRate.map(RateControl.averageBitRate) }
        return kind.rates
    }
}

extension OptionParsing {
    /// Presets separated by commas; each is one name, or one for each encoder separated by colons.
    static func presets(_ text: String) throws(OptionError) -> [[String]] {
        try list(text) { item throws(OptionError) in
            let names = item.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if names.contains("") { throw OptionError("'\(item)' has an empty name") }
            return names
        }
    }
}
