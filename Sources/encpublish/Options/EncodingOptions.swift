// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI

/// What decides on the encoder; all other settings are set by their names.
struct EncodingOptions: ParsableArguments {
    @Option(
        help: "One of \(OptionParsing.encoderNames); default: x264, or x265 for HEVC.",
        transform: OptionParsing.encoder)
    var encoder: EncoderKind?

    @Option(
        help: "h264 or hevc, needed where the encoder has both; default: the encoder's.",
        transform: OptionParsing.codec)
    var codec: VideoCodec?

    @OptionGroup var devices: DeviceOptions

    @Option(help: "The library's preset, such as ultrafast, medium, veryslow; default: the library's own choice.")
    var preset: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Any setting by its name, over all other options; 'encbench properties' lists them. May be given several times; default: none.",
            valueName: "name=value"),
        transform: { text in
            try OptionParsing.assignment(text, refusing: EncodingOptions.refusedSettings)
        })
    var assignments: [SettingAssignment] = []

    @Option(
        name: .customLong("encoding"),
        help: ArgumentHelp(
            "Another way to encode the input in the same run, for outputs that are given as NAME=OUTPUT: an encoder, perhaps its preset, and settings, also average-bit-rate, crf, qp, quality and codec. May be given several times; default: none.",
            valueName: "name=encoder:preset,setting=value"),
        transform: { text in try NamedEncoding(text) })
    var named: [NamedEncoding] = []

    /// Settings that the program decides itself.
    static let refusedSettings: [Setting: String] = [.framing: "Framing: the outputs decide on framing"]

    /// The names of those that were given, but for `--encoder` and `--codec`.
    var given: [String] {
        OptionParsing.given([
            "--device": devices.device != nil, "--preset": preset != nil, "--set": !assignments.isEmpty,
        ])
    }
}
