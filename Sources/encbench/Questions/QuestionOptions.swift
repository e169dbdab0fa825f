// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles

/// What the commands that ask one question of encoders let a user say alike.
struct QuestionOptions: ParsableArguments {
    @Argument(help: "Y4M files, raw video with --size, or anything libavformat reads; default: the bundled clip.")
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp("Encoders to ask; default: x264,x265.", valueName: "list"), transform: OptionParsing.encoders
    )
    var encoder: [EncoderKind] = [.x264, .x265]

    @Option(help: "h264 or hevc, for encoders that have both; default: h264.", transform: OptionParsing.codec)
    var codec: VideoCodec?

    @OptionGroup var devices: DeviceOptions

    @Option(help: "The library's preset, such as ultrafast, medium, veryslow; default: the library's own choice.")
    var preset: String?

    @OptionGroup(title: "Encoder") var options: EncoderOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions

    @Option(
        help: ArgumentHelp("Write what was found as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    @Flag(help: "Show what the sessions and the libraries have to say.")
    var verbose = false

    func validate() throws {
        do throws(OptionError) {
            try devices.check(isFor: encoder)
            try Variant.check(preset: preset, of: encoder)
            try ComparedOptions.check(options.native)
            for kind in encoder {
                guard let codec, let only = kind.onlyCodec, only != codec else { continue }
                throw OptionError(.conflicting, "--encoder \(kind.name) encodes \(only), but --codec asks for \(codec)")
            }
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// What is asked, one for each encoder.
    var variants: [Variant] { encoder.map { Variant(encoder: $0.name, preset: $0.hasPresets ? preset : nil) } }
}
