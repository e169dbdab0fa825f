// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import MediaFiles

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
        help: ArgumentHelp("Use the first N frames only, 1 to 1000000000; default: all.", valueName: "n"),
        transform: OptionParsing.frameCount)
    var frames: Int?

    func validate() throws { try raw.check(size: size) }

    /// Opens an input; its content decides what it is unless `--size` says that it is raw video.
    ///
    /// - Parameters:
    ///   - path: A file's path, "-" for standard input.
    ///   - frameRate: Frames per second of raw video; nil counts as 25.
    /// - Returns: The pictures to come.
    /// - Throws: ``MediaFileError`` when the file cannot be opened or understood.
    func open(_ path: String, frameRate: FrameRate?) throws(MediaFileError) -> any VideoSource {
        try raw.open(path, size: size, frameRate: frameRate)
    }

    /// What a source says of itself, with no more frames than are used.
    func describe(_ info: VideoSourceInfo) -> SourceDescription { SourceDescription(info, frameLimit: frames) }
}
