// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles

/// What is known of inputs besides their paths: what files of bare samples do not say of themselves, and how much of
/// any to use.
package struct ClipInput: Sendable {
    /// The size of raw video; nil for files with a header.
    package var size: PictureSize?
    /// The samples of raw video.
    package var pixelFormat = PixelFormat.i420
    /// Pictures that are used at most; nil for all.
    package var frameLimit: Int?

    package init(size: PictureSize? = nil, pixelFormat: PixelFormat = PixelFormat.i420, frameLimit: Int? = nil) {
        self.size = size
        self.pixelFormat = pixelFormat
        self.frameLimit = frameLimit
    }

    /// Opens an input; its content decides what it is unless it is said to be raw video.
    ///
    /// - Parameters:
    ///   - path: A file's path, "-" for standard input.
    ///   - frameRate: Frames per second of raw video; nil counts as 25.
    /// - Returns: The pictures to come.
    /// - Throws: ``MediaFileError`` when the file cannot be opened or understood.
    package func open(_ path: String, frameRate: FrameRate?) throws(MediaFileError) -> any VideoSource {
        let raw = size.map {
            RawVideoFormat(pixelFormat: pixelFormat, width: $0.width, height: $0.height, frameRate: frameRate)
        }
        return try VideoInput.open(path: path, rawFormat: raw)
    }

    /// What a source says of itself, with no more frames than are used.
    package func describe(_ info: VideoSourceInfo) -> SourceDescription {
        SourceDescription(info, frameLimit: frameLimit)
    }

    /// How raw video is to be read; nil for files with a header.
    package func rawClip(frameRate: FrameRate?) -> RawClip? {
        size.map { size in
            RawClip(
                pixelFormat: pixelFormat.rawValue, width: size.width, height: size.height,
                frameRate: frameRate.map { "\($0.numerator)/\($0.denominator)" })
        }
    }

    /// A clip's facts and what its file says of itself.
    package struct Clip: Sendable {
        package var facts: ClipFacts
        package var info: VideoSourceInfo
    }

    /// Reads a clip once, and describes it.
    ///
    /// - Parameters:
    ///   - path: A file's path, "-" for standard input.
    ///   - frameRate: Frames per second of raw video; nil counts as 25.
    ///   - interruption: Ends the reading when it happens.
    /// - Returns: The clip.
    /// - Throws: ``MediaFileError``, ``EncoderBenchError``; ``Interrupted``.
    package func clip(
        _ path: String, frameRate: FrameRate?, interruption: OneShotEvent = OneShotEvent()
    ) throws -> Clip {
        let input = try StudyInput(reading: path, interruption: interruption)
        var info: VideoSourceInfo
        do throws(MediaFileError) {
            info = try open(input.path, frameRate: frameRate).info
        } catch {
            throw error.naming(path.shown)
        }
        let even =
            info.isConstantRate
            ? nil
            : try EvenTimes.rate(
                ofFile: input.path, stated: info.frameRate, frameLimit: frameLimit, interruption: interruption)
        // As Y4M tells it by its size: x265 plans with it.
        if let even { (info.frameRate, info.isConstantRate, info.frameCount) = (even.rate, true, even.count) }
        var facts = ClipFacts(
            name: path.shown, path: input.path, digest: input.digest, frameLimit: frameLimit,
            raw: rawClip(frameRate: frameRate), info: info)
        facts.recognizedRate = even?.rate.optionText
        return Clip(facts: facts, info: info)
    }
}
