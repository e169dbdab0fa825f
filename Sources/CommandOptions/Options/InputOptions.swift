// SPDX-License-Identifier: MIT

package import ArgumentParser
package import EncoderAPI
package import MediaFiles

/// What a file of bare samples does not say of itself, and how much of any input to use.
package struct InputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Size of raw video, which has no header, such as 1280x720, up to 65535x65535; default: the input has a header.",
            valueName: "width>x<height"),
        transform: OptionParsing.size)
    package var size: PictureSize?

    @Option(
        help: "Samples of raw video: i420, nv12, i010, p010 or i012; default: i420.",
        transform: OptionParsing.pixelFormat)
    package var format: PixelFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Use the first N frames only, 1 to 1000000000; default: all.", valueName: "n"),
        transform: OptionParsing.frameCount)
    package var frames: Int?

    package init() {}

    package func validate() throws {
        if format != nil && size == nil { throw ValidationError("--format is for raw video; give its --size too") }
    }

    /// Opens an input; its content decides what it is unless `--size` says that it is raw video.
    ///
    /// - Parameters:
    ///   - path: A file's path, "-" for standard input.
    ///   - frameRate: Frames per second of raw video; nil counts as 25.
    /// - Returns: The pictures to come.
    /// - Throws: ``MediaFileError`` when the file cannot be opened or understood.
    package func open(_ path: String, frameRate: FrameRate?) throws(MediaFileError) -> any VideoSource {
        let raw = size.map {
            RawVideoFormat(
                pixelFormat: format ?? .i420, width: $0.width, height: $0.height, frameRate: frameRate)
        }
        return try VideoInput.open(path: path, rawFormat: raw)
    }

    /// What a source says of itself, with no more frames than are used.
    package func describe(_ info: VideoSourceInfo) -> SourceDescription {
        // An encoder plans with one frame or more.
        let count = info.frameCount.flatMap { $0 > 0 ? min($0, frames ?? .max) : nil }
        return SourceDescription(
            width: info.width, height: info.height, pixelFormat: info.pixelFormat, frameRate: info.frameRate,
            isConstantRate: info.isConstantRate, frameCount: count,
            color: info.color == ColorDescription() ? nil : info.color,
            pixelAspectRatio: info.pixelAspectRatio, metadata: SourceMetadata(info))
    }
}

extension OptionParsing {
    /// A pixel format's name.
    package static func pixelFormat(_ text: String) throws(OptionError) -> PixelFormat {
        if let format = PixelFormat(rawValue: text) { return format }
        let names = PixelFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionError(.unknownName, "'\(text)', expected one of \(names)")
    }
}
