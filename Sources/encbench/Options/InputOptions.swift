// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench

/// What a file of bare samples does not say of itself, and how much of any input to use.
struct InputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Size of raw video, which has no header, such as 1280x720, up to 65535x65535; default: the input has a header.",
            valueName: "width>x<height"),
        transform: OptionParsing.size)
    var size: PictureSize?

    @OptionGroup var raw: RawVideoOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Use the first N frames only, 1 to 1000000000, in ladder 2 or more; default: all.", valueName: "n"),
        transform: OptionParsing.frameCount)
    var frames: Int?

    func validate() throws { try raw.check(size: size) }

    /// What they say of inputs.
    var clips: ClipInput { ClipInput(size: size, pixelFormat: raw.format ?? .i420, frameLimit: frames) }
}
