// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import SyntheticPictures
import MediaFiles
import Publishing

/// Pictures that are made here, without an end: shapes that move, or flashes.
final class TestVideo: VideoSource {
    let info: VideoSourceInfo
    /// Nothing is read.
    let byteOffset: Int64 = 0
    private let picture: (Int, MediaTime) throws(EncoderError) -> PixelBuffer
    private let frameDuration: MediaTime
    private var index = 0

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - showsFlashes: Whether there are flashes, as ``TestSignal`` has them, in place of moving shapes.
    ///   - size: Of the pictures.
    ///   - rate: Frames per second.
    init(showsFlashes: Bool, size: PictureSize, rate: FrameRate) {
        info = VideoSourceInfo(
            formatName: "test", pixelFormat: .i420, width: size.width, height: size.height, frameRate: rate,
            timescale: Int32(clamping: rate.numerator), isConstantRate: true)
        frameDuration = MediaTime(value: Int64(rate.denominator), timescale: Int32(clamping: rate.numerator))
        if showsFlashes {
            let signal = TestSignal(.flashAndBeep)
            picture = { _, time throws(EncoderError) in
                try signal.picture(at: time, width: size.width, height: size.height)
            }
        } else {
            let video = SyntheticVideo(width: size.width, height: size.height)
            picture = { index, _ throws(EncoderError) in try video.picture(at: index) }
        }
    }

    func next() throws(MediaFileError) -> SourceFrame? {
        let time = MediaTime(value: Int64(index) * frameDuration.value, timescale: frameDuration.timescale)
        defer { index += 1 }
        do throws(EncoderError) {
            return SourceFrame(picture: try picture(index, time), presentationTime: time, duration: frameDuration)
        } catch {
            throw MediaFileError(.outOfMemory, reason: error.reason)
        }
    }
}
