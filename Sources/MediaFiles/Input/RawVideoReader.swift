// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What a file of bare samples does not say of itself.
package struct RawVideoFormat: Sendable, Hashable {
    /// How the samples lie.
    package var pixelFormat: PixelFormat
    /// Luma samples in a row, 1...65535.
    package var width: Int
    /// Luma rows, 1...65535.
    package var height: Int
    /// Frames per second; nil counts as 25.
    package var frameRate: FrameRate?

    /// Makes a description; the ranges are checked when a file is opened.
    package init(pixelFormat: PixelFormat, width: Int, height: Int, frameRate: FrameRate? = nil) {
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.frameRate = frameRate
    }
}

/// Reads pictures that follow each other without headers or padding.
package final class RawVideoReader: VideoSource {
    package let info: VideoSourceInfo
    private let file: InputFile
    private let pictures: PictureMemory
    private let clock: FrameClock
    private var index = 0
    private var failure: MediaFileError?

    /// Reads an open file as samples of a format.
    ///
    /// - Throws: ``MediaFileError`` with `.invalidValue` for a side or frame rate out of range.
    package init(_ file: InputFile, format: RawVideoFormat) throws(MediaFileError) {
        for (name, side) in [("width", format.width), ("height", format.height)] where !(1...65535).contains(side) {
            throw MediaFileError(.invalidValue, reason: "\(name) \(side), expected 1...65535", path: file.path)
        }
        let rate = format.frameRate ?? FrameClock.assumedRate
        guard let clock = FrameClock(rate) else {
            throw MediaFileError(
                .invalidValue, reason: "frame rate \(rate), expected terms of 1...\(Int32.max)", path: file.path)
        }
        self.file = file
        self.clock = clock
        pictures = PictureMemory(format: format.pixelFormat, width: format.width, height: format.height)
        var info = VideoSourceInfo(
            formatName: "raw video", pixelFormat: format.pixelFormat, width: format.width, height: format.height,
            frameRate: clock.rate, timescale: clock.timescale)
        info.isConstantRate = true
        info.conversions = clock.assumption(stated: format.frameRate)
        if let size = file.size { info.frameCount = Int(size / Int64(pictures.byteCount)) }
        self.info = info
    }

    package var byteOffset: Int64 { file.position }

    /// Goes past pictures of a file on disk, which all have one size.
    package func skip(_ count: Int) throws(MediaFileError) -> Bool {
        guard failure == nil, let size = file.size else { return false }
        let (bytes, isTooLong) = Int64(pictures.byteCount).multipliedReportingOverflow(by: Int64(count))
        guard !isTooLong, bytes <= size - file.position, file.seek(to: file.position + bytes) else { return false }
        index += count
        return true
    }

    package func next() throws(MediaFileError) -> SourceFrame? {
        if let failure { throw failure }
        let offset = file.position
        let memory = try pictures.take()
        do throws(MediaFileError) {
            let count = try file.read(into: memory.bytes)
            guard count == 0 || count == pictures.byteCount else {
                throw MediaFileError(
                    .truncated, reason: "picture \(index) ends after \(count) of \(pictures.byteCount) bytes",
                    path: file.path, byteOffset: file.position)
            }
            if count == 0 {
                pictures.giveBack(memory)
                return nil
            }
        } catch {
            pictures.giveBack(memory)
            failure = error
            throw error
        }
        defer { index += 1 }
        return SourceFrame(
            picture: try pictures.picture(memory), presentationTime: clock.time(index), duration: clock.duration,
            byteOffset: offset)
    }
}
