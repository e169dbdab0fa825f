// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles

/// What `ladder` lets a user say of sizes and qualities.
struct LadderOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sizes to encode, \(LadderSizes.counts.lowerBound) to \(LadderSizes.counts.upperBound) such as 1280x720,640x360: even, no "
                + "larger than a clip's own, and of its shape. Default: its own, and 3/4, 1/2, 3/8, 1/4 and 3/16 of its sides as far as "
                + "none is shorter than 180, 3/4 always.",
            valueName: "list"),
        transform: LadderSizes.parse)
    var sizes: [PictureSize] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Constant rate factors for each size, two or more of 0 to 51; default: "
                + EncoderKind.usualFactors(of: \.ladderRates),
            valueName: "list"),
        transform: OptionParsing.rateFactors)
    var crf: [Double] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Quantizers for each size, two or more of 0 to 51; default: "
                + EncoderKind.usualQuantizers(of: \.ladderRates),
            valueName: "list"),
        transform: OptionParsing.quantizers)
    var qp: [Int] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many times the bits of the rung below a rung has at least, 1 to 10; default: 1.5.", valueName: "ratio"),
        transform: { try OptionParsing.number($0, in: LadderHull.steps) })
    var step = 1.5

    @Option(
        help: ArgumentHelp(
            "Write one line of values for each encode; - for standard output. Default: none.", valueName: "file"))
    var csv: String?

    @Option(
        help: ArgumentHelp(
            "Write one page with the hulls as a chart, for any browser; - for standard output. Default: none.",
            valueName: "file"))
    var html: String?

    func validate() throws {
        guard crf.isEmpty || qp.isEmpty else {
            throw ValidationError("--crf and --qp exclude each other; give one of them")
        }
        for (name, values) in [("--crf", crf.map(Format.shortest)), ("--qp", qp.map(String.init))]
        where values.count == 1 {
            throw ValidationError("\(name) \(values[0]): a curve needs two values or more")
        }
    }

    /// Refuses files that cannot be written, that are read by the same command, or that two reports want.
    ///
    /// - Parameters:
    ///   - inputs: What the command reads.
    ///   - json: The file of the JSON; nil for none.
    /// - Throws: ``CommandFailure``, ``MediaFileError`` that name the file.
    func checkFiles(inputs: [String], json: String?) throws {
        let paths = [csv, html].compactMap { $0 }
        for (index, path) in paths.enumerated() {
            guard path != json, !paths[..<index].contains(path) else {
                throw ValidationError("two reports both want \(path == "-" ? "standard output" : path)")
            }
            try FilePlace.check(path, isNone: inputs.map { ("an input", $0) })
            try MediaOutput.checkWritable(path)
        }
    }

    /// What each size is encoded at, best first.
    func rates(for kind: EncoderKind) -> [RateControl] {
        if !crf.isEmpty { return crf.sorted().map(RateControl.constantRateFactor) }
        if !qp.isEmpty { return qp.sorted().map(RateControl.constantQuantizer) }
        return kind.ladderRates
    }
}

extension EncoderKind {
    /// What each size of a ladder is encoded at, best first: in wider steps than a comparison's, and down to where a
    /// smaller size is better.
    var ladderRates: [RateControl] {
        rates.enumerated().map { index, rate in
            switch rate {
            case .constantRateFactor(let factor): .constantRateFactor(factor + Double(index) + 1)
            case .constantQuantizer(let quantizer): .constantQuantizer(quantizer + index + 1)
            default: rate
            }
        }
    }
}
