// SPDX-License-Identifier: MIT

package import ArgumentParser
package import EncoderAPI
package import MediaFiles

/// What bare samples do not say of themselves, beside their size.
package struct RawVideoOptions: ParsableArguments {
    @Option(
        help: "Samples of raw video: i420, nv12, i010, p010 or i012; default: i420.",
        transform: OptionParsing.pixelFormat)
    package var format: PixelFormat?

    package init() {}

    /// Refuses a format of samples where no size says that a video is raw.
    package func check(size: PictureSize?) throws {
        if format != nil && size == nil { throw ValidationError("--format is for raw video; give its --size too") }
    }

    /// Opens an input; its content decides what it is unless a size says that it is raw video.
    ///
    /// - Parameters:
    ///   - path: A file's path, "-" for standard input.
    ///   - size: Of raw video; nil for an input with a header.
    ///   - frameRate: Frames per second of raw video; nil counts as 25.
    /// - Returns: The pictures to come.
    /// - Throws: ``MediaFileError`` when the file cannot be opened or understood.
    package func open(
        _ path: String, size: PictureSize?, frameRate: FrameRate?
    ) throws(MediaFileError) -> sending any VideoSource {
        let raw = size.map {
            RawVideoFormat(
                pixelFormat: format ?? .i420, width: $0.width, height: $0.height, frameRate: frameRate)
        }
        return try VideoInput.open(path: path, rawFormat: raw)
    }
}
