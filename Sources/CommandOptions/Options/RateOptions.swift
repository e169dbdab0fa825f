// SPDX-License-Identifier: MIT

package import ArgumentParser
package import EncoderAPI

/// What decides the bits of a picture in commands that encode once for each encoder: one of these, or the encoder's
/// default.
package struct RateOptions: ParsableArguments {
    /// The heading of these options in help.
    package static let title = "Bits: one of these, or what the encoder decides"

    @Option(
        parsing: .unconditional, help: "Constant rate factor, 0 to 51: less is better and larger; default: none.",
        transform: OptionParsing.rateFactor)
    package var crf: Double?

    @Option(
        parsing: .unconditional,
        help: "One quantizer for all P frames, 0 to 51, for vaapi 1 to 51: less is better and larger; default: none.",
        transform: OptionParsing.quantizer)
    package var qp: Int?

    @Option(
        parsing: .unconditional, help: "Quality from 0 (least) to 1 (lossless where the encoder can); default: none.",
        transform: { try OptionParsing.number($0, in: 0...1) })
    package var quality: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Mean bit rate; k and M are 1000-based, Ki and Mi 1024-based: 800k, 2.5M. 1k to 1G; default: none.",
            valueName: "bit/s"),
        transform: OptionParsing.bitRate)
    package var averageBitRate: Int?

    package init() {}

    /// The names of those that were given.
    package var given: [String] {
        OptionParsing.given([
            "--crf": crf != nil, "--qp": qp != nil, "--quality": quality != nil,
            "--average-bit-rate": averageBitRate != nil,
        ])
    }

    package func validate() throws {
        if given.count > 1 {
            throw ValidationError("\(given.joined(separator: " and ")) exclude each other; give one of them")
        }
    }

    /// The rate control that was asked for.
    package var rateControl: RateControl {
        if let crf { return .constantRateFactor(crf) }
        if let qp { return .constantQuantizer(qp) }
        if let quality { return .quality(quality) }
        if let averageBitRate { return .averageBitRate(averageBitRate) }
        return .automatic
    }
}
