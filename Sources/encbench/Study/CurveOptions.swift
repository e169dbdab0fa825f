// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench

/// What `compare` and `plan` let a user say about clips and curves.
struct CurveOptions: ParsableArguments {
    @Argument(
        help:
            "Y4M files, raw video with --size, or anything libavformat reads; - is standard input. Default: the bundled clip."
    )
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "Encoders to compare; the first is the anchor. Default: x264,x265.", valueName: "list"),
        transform: OptionParsing.encoders)
    var encoder: [EncoderKind]?

    @Option(
        help: ArgumentHelp(
            "h264, hevc or both: what encoders that have both encode to, a curve for each. Default: what the other encoders "
                + "have in common, or else h264.",
            valueName: "list"),
        transform: OptionParsing.codecs)
    var codec: [VideoCodec]?

    @Option(
        help: ArgumentHelp(
            "Presets to compare, separated by commas; A:B gives each encoder its own, in their order. Default: medium; "
                + "in real time the library's own choice.",
            valueName: "list"),
        transform: OptionParsing.presets)
    var preset: [[String]]?

    @Option(
        help: ArgumentHelp(
            "One curve, in place of --encoder and --preset, with settings of its own: x264:slow, "
                + "x265:medium,tune=psnr,aq-mode=2. Given several times; the first is the anchor. "
                + "Default: those of --encoder and --preset.",
            valueName: "encoder:preset,name=value"),
        transform: OptionParsing.variant)
    var variant: [Variant] = []

    @Option(
        help: ArgumentHelp(
            "Ready-made curves of H.264 and H.265 in place of --encoder, --preset, --variant and bit rates: "
                + Pairing.all.map { "\($0.name): \($0.summary)" }.joined(separator: "; ")
                + ". Separated by commas; default: none.",
            valueName: "list"),
        transform: OptionParsing.pairings)
    var pairing: [Pairing] = []

    @Option(
        help: ArgumentHelp(
            "The curve that all others are compared with, such as 'x265 medium'; default: the first, within each preset.",
            valueName: "name"))
    var anchor: String?

    @Option(
        help: ArgumentHelp(
            "Clips to answer for together too, named as above, such as screen=a.mkv,-; given several times, and a clip may be in "
                + "several. Clips of like size are groups unasked, where there are several sizes. Default: none.",
            valueName: "name=clips"),
        transform: OptionParsing.group)
    var group: [ClipGroup] = []

    var encoders: [EncoderKind] { encoder ?? [.x264, .x265] }

    /// What encoders that have several codecs encode to.
    var codecs: [VideoCodec] {
        codec ?? [EncoderKind.sharedCodec(of: variant.isEmpty ? encoders : variant.compactMap { try? $0.kind })]
    }
}

extension EncoderKind {
    /// The codec that all encoders have that have but one; H.264 where they have several, or none is among them.
    static func sharedCodec(of kinds: [EncoderKind]) -> VideoCodec {
        let codecs = Set(kinds.compactMap(\.onlyCodec))
        return codecs.count == 1 ? codecs.first ?? .h264 : .h264
    }
}
