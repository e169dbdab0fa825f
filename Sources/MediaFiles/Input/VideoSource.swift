// SPDX-License-Identifier: MIT

package import EncoderAPI
package import ParameterSets

/// Pictures read one after the other; used by one task or thread at a time.
package protocol VideoSource: AnyObject {
    /// What is known before the first picture; what had to be changed later joins its conversions.
    var info: VideoSourceInfo { get }

    /// Bytes of the file consumed so far; libraries read ahead of the picture they give.
    var byteOffset: Int64 { get }

    /// Reads the next picture; blocks while it does.
    ///
    /// - Returns: Nil after the last picture.
    /// - Throws: ``MediaFileError`` with the byte offset where the input is truncated or corrupt; the pictures before
    ///   it were delivered. Later calls throw the same error.
    func next() throws(MediaFileError) -> SourceFrame?

    /// Goes past pictures without reading them, where the file lets find the one behind them.
    ///
    /// - Parameter count: 0 or more.
    /// - Returns: False where pictures have to be read to get past them, and nothing has changed.
    /// - Throws: ``MediaFileError`` where the file cannot be read.
    func skip(_ count: Int) throws(MediaFileError) -> Bool
}

extension VideoSource {
    /// Most formats do not say where a picture starts.
    package func skip(_ count: Int) throws(MediaFileError) -> Bool { false }
}

/// What is known of a source's video before its first picture.
package struct VideoSourceInfo: Sendable, Hashable {
    /// The file's format and codec, such as "YUV4MPEG2" or "matroska,webm, ffv1".
    package var formatName: String
    /// How the samples of the pictures lie in memory, after a conversion if there is one.
    package var pixelFormat: PixelFormat
    /// Luma samples in a row, 1...65535.
    package var width: Int
    /// Luma rows, 1...65535.
    package var height: Int
    /// Frames per second as the file states them, a mean where the rate varies; nil where it does not.
    package var frameRate: FrameRate?
    /// Ticks per second of the pictures' times.
    package var timescale: Int32
    /// Pictures as the file's header or size says; nil for a pipe and where nothing says so.
    ///
    /// It may prove wrong.
    package var frameCount: Int?
    /// Whether the pictures were decoded from a lossy codec, so that an encoder spends bits on its artifacts.
    package var isLossy = false
    /// Whether the format has no times of its own, so that all pictures last equally long.
    package var isConstantRate = false
    /// Bits per second of the source's video as its container states them; nil for uncompressed video.
    package var bitRate: Int?
    /// What the sample values mean, as far as the file says so.
    package var color = ColorDescription()
    /// chroma_sample_loc_type as both codecs define it (0 left, 1 center, 2 top left); nil where the file does not say.
    package var chromaSampleLocation: Int?
    /// The display that the video was mastered on; nil where the file does not say.
    package var masteringDisplay: MasteringDisplay?
    /// How bright the video gets; nil where the file does not say.
    package var contentLightLevel: ContentLightLevel?
    /// Shape of the samples; nil where the file does not say.
    package var pixelAspectRatio: PixelAspectRatio?
    /// What was changed to give 4:2:0 pictures, and what of the file is not applied to them; a sentence each.
    package var conversions: [String] = []
    /// What else the file has that no picture carries, such as sound; a sentence each.
    package var omissions: [String] = []

    /// Describes a source; what is not named is not known, or as usual.
    package init(
        formatName: String, pixelFormat: PixelFormat, width: Int, height: Int, frameRate: FrameRate? = nil,
        timescale: Int32, frameCount: Int? = nil, isLossy: Bool = false, isConstantRate: Bool = false,
        bitRate: Int? = nil, color: ColorDescription = ColorDescription(), chromaSampleLocation: Int? = nil,
        masteringDisplay: MasteringDisplay? = nil, contentLightLevel: ContentLightLevel? = nil,
        pixelAspectRatio: PixelAspectRatio? = nil, conversions: [String] = [], omissions: [String] = []
    ) {
        self.formatName = formatName
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.timescale = timescale
        self.frameCount = frameCount
        self.isLossy = isLossy
        self.isConstantRate = isConstantRate
        self.bitRate = bitRate
        self.color = color
        self.chromaSampleLocation = chromaSampleLocation
        self.masteringDisplay = masteringDisplay
        self.contentLightLevel = contentLightLevel
        self.pixelAspectRatio = pixelAspectRatio
        self.conversions = conversions
        self.omissions = omissions
    }
}

/// One picture of a source.
package struct SourceFrame: Sendable {
    /// The picture; its memory is used again when nobody holds it any more.
    package var picture: PixelBuffer
    /// When it is shown; larger than that of the picture before.
    package var presentationTime: MediaTime
    /// How long it is shown; nil where the file does not say.
    package var duration: MediaTime?
    /// Where in the file its data starts, in bytes; nil where the library does not say.
    package var byteOffset: Int64?
}

extension SourceFrame {
    /// Puts a picture that no file holds beside its times.
    package init(picture: PixelBuffer, presentationTime: MediaTime, duration: MediaTime?) {
        self.init(picture: picture, presentationTime: presentationTime, duration: duration, byteOffset: nil)
    }
}
