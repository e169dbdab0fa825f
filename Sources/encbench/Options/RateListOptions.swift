// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench

/// The points of a curve in `compare` and `plan`: one list, or the default of each encoder.
struct RateListOptions: ParsableArguments {
    /// What stands above them in help.
    static let title = "Bits, four or more values for an answer at equal quality"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Constant rate factors, 0 to 51; default: "
                + EncoderKind.usualFactors(of: \.rates),
            valueName: "list"),
        transform: OptionParsing.rateFactors)
    var crf: [Double] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Quantizers, 0 to 51, such as 22,27,32,37; default: "
                + EncoderKind.usualQuantizers(of: \.rates),
            valueName: "list"),
        transform: OptionParsing.quantizers)
    var qp: [Int] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Mean bit rates in bit/s, 1k to 1G, such as 500k,1M,2M,4M; default: none.", valueName: "list"),
        transform: OptionParsing.bitRates)
    var averageBitRate: [Int] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Highest bit rates of --crf in bit/s, 1k to 1G: as a limit that no window passes, below maxrate and bufsize of that number; "
                + "several with one factor, or one with several. Default: none.",
            valueName: "list"),
        transform: OptionParsing.bitRates)
    var cap: [Int] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "No window of so many seconds carries more than --cap, 0.001 to 3600; default: 1.", valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0.001...3600) })
    var capWindow: Double?

    func validate() throws {
        if crf.count > 1, cap.count > 1 {
            throw ValidationError(
                "\(crf.count) values of --crf with \(cap.count) of --cap are no one curve; give one of --crf with several "
                    + "of --cap, or several of --crf with one of --cap")
        }
        let given = OptionParsing.given([
            "--crf": !crf.isEmpty, "--qp": !qp.isEmpty, "--average-bit-rate": !averageBitRate.isEmpty,
        ])
        if given.count > 1 {
            throw ValidationError("\(given.joined(separator: " and ")) exclude each other; give one of them")
        }
    }

    /// Refuses caps without the factors that they are for.
    ///
    /// The command asks after it has refused what a pairing has of its own: nobody is told then to give `--crf` too.
    func checkCaps() throws(OptionError) {
        if crf.isEmpty, !cap.isEmpty { throw OptionError(.conflicting, "--cap is for --crf, which is missing") }
        if cap.isEmpty, capWindow != nil {
            throw OptionError(.conflicting, "--cap-window is for --cap, which is missing")
        }
    }

    /// The rates to encode at, best first for the defaults.
    func rates(for kind: EncoderKind) -> [PointRate] {
        if !cap.isEmpty {
            return crf.flatMap { factor in
                cap.map {
                    PointRate(.constantRateFactor(factor), cap: RateCap(bitsPerSecond: $0, seconds: capWindow ?? 1))
                }
            }
        }
        return controls(for: kind).map { PointRate($0) }
    }

    private func controls(for kind: EncoderKind) -> [RateControl] {
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
            if names.contains("") { throw OptionError(.malformed, "'\(item)' has an empty name") }
            return names
        }
    }
}
