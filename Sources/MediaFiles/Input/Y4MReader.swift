// SPDX-License-Identifier: MIT

import EncoderAPI

/// Reads YUV4MPEG2 from a file or pipe: one system call per picture, no copy of its samples.
package final class Y4MReader: VideoSource {
    package let info: VideoSourceInfo
    private let file: InputFile
    private let pictures: PictureMemory
    private let clock: FrameClock
    private var index = 0
    private var failure: MediaFileError?
    /// Whether a picture's header line was longer than the plain one, so that the next may be too.
    private var expectsParameters = false

    private static let plainHeader = Array("FRAME\n".utf8)
    /// The longest header line of a picture accepted, in bytes.
    private static let longestFrameLine = 1024

    /// Reads the header line of an open file.
    ///
    /// - Throws: ``MediaFileError``: `.corrupt` and `.unsupported` name the parameter and its byte offset.
    package init(_ file: InputFile) throws(MediaFileError) {
        guard let line = try file.readLine(limit: Y4MHeader.longestLine) else {
            throw MediaFileError(
                .corrupt, reason: "no line feed in the first \(Y4MHeader.longestLine) bytes of a YUV4MPEG2 header",
                path: file.path, byteOffset: file.position)
        }
        let header = try Y4MHeader(parsing: line, path: file.path)
        let rate = header.frameRate ?? FrameClock.assumedRate
        guard let clock = FrameClock(rate) else {
            throw MediaFileError(
                .unsupported, reason: "frame rate \(rate), expected terms of at most \(Int32.max)",
                path: file.path, byteOffset: 0)
        }
        self.file = file
        self.clock = clock
        pictures = PictureMemory(format: header.format, width: header.width, height: header.height)
        var info = VideoSourceInfo(
            formatName: "YUV4MPEG2", pixelFormat: header.format, width: header.width, height: header.height,
            frameRate: clock.rate, timescale: clock.timescale)
        info.isConstantRate = true
        info.conversions = clock.assumption(stated: header.frameRate)
        info.chromaSampleLocation = header.chromaSampleLocation
        info.pixelAspectRatio = header.pixelAspectRatio
        info.color.isFullRange = header.isFullRange ?? false
        // Headers of pictures with parameters are longer, so that the size says nothing.
        if let size = file.size, try file.peek(Self.plainHeader.count).elementsEqual(Self.plainHeader) {
            let frameBytes = Int64(Self.plainHeader.count + pictures.byteCount)
            info.frameCount = Int((size - file.position) / frameBytes)
        }
        self.info = info
    }

    package var byteOffset: Int64 { file.position }

    package func next() throws(MediaFileError) -> SourceFrame? {
        if let failure { throw failure }
        do throws(MediaFileError) {
            let offset = file.position
            guard let picture = try nextPicture() else { return nil }
            defer { index += 1 }
            return SourceFrame(
                picture: picture, presentationTime: clock.time(index), duration: clock.duration, byteOffset: offset)
        } catch {
            failure = error
            throw error
        }
    }

    /// Goes past pictures of a file on disk that all have plain headers; what follows them has to start with one too.
    package func skip(_ count: Int) throws(MediaFileError) -> Bool {
        guard failure == nil, let size = file.size else { return false }
        let start = file.position
        let (bytes, isTooLong) = Int64(Self.plainHeader.count + pictures.byteCount)
            .multipliedReportingOverflow(by: Int64(count))
        guard !isTooLong, bytes <= size - start, try startsPlainly(), file.seek(to: start + bytes) else { return false }
        guard try startsPlainly() else {
            _ = file.seek(to: start)
            return false
        }
        index += count
        return true
    }

    /// Whether a picture with the plain header comes next, or the end of the file.
    private func startsPlainly() throws(MediaFileError) -> Bool {
        let bytes = try file.peek(Self.plainHeader.count)
        return bytes.isEmpty || bytes.elementsEqual(Self.plainHeader)
    }

    private func nextPicture() throws(MediaFileError) -> PixelBuffer? {
        let memory = try pictures.take()
        do throws(MediaFileError) {
            guard try fill(memory.bytes) else {
                pictures.giveBack(memory)
                return nil
            }
        } catch {
            pictures.giveBack(memory)
            throw error
        }
        return try pictures.picture(memory)
    }

    /// Reads a picture's header and samples.
    ///
    /// - Returns: False at the end of the file.
    private func fill(_ samples: UnsafeMutableRawBufferPointer) throws(MediaFileError) -> Bool {
        if expectsParameters { return try fillAfterLine(samples) }
        var header: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0, 0)
        return try withUnsafeMutableBytes(of: &header) { header throws(MediaFileError) in
            let count = try file.read(header, samples)
            if count == 0 { return false }
            guard count >= header.count, header.elementsEqual(Self.plainHeader) else {
                file.unread(Array(header[..<min(count, header.count)]) + samples[..<max(count - header.count, 0)])
                return try fillAfterLine(samples)
            }
            try checkComplete(count - header.count)
            return true
        }
    }

    /// Reads a picture whose header line may have parameters; its first bytes may be copied once more.
    private func fillAfterLine(_ samples: UnsafeMutableRawBufferPointer) throws(MediaFileError) -> Bool {
        let offset = file.position
        if try file.peek(1).isEmpty { return false }
        let start = Array(try file.peek(Self.plainHeader.count))
        guard Self.plainHeader.dropLast().starts(with: start.prefix(5)),
            start.count < 6 || [0x0A, 0x20].contains(start[5])
        else {
            throw MediaFileError(
                .corrupt, reason: "no FRAME header before picture \(index)", path: file.path, byteOffset: offset)
        }
        guard let line = try file.readLine(limit: Self.longestFrameLine) else {
            let isCutOff = try file.peek(Self.longestFrameLine).count < Self.longestFrameLine
            throw MediaFileError(
                isCutOff ? .truncated : .corrupt, reason: "no line feed after the FRAME header of picture \(index)",
                path: file.path, byteOffset: offset)
        }
        for field in line.dropFirst(5).split(separator: UInt8(ascii: " ")) where field.first == UInt8(ascii: "I") {
            // Presentation, then temporal and chroma sampling; "1p" is one progressive picture shown once.
            guard field.count >= 3, Array(field[(field.startIndex + 1)...].prefix(2)) == Array("1p".utf8) else {
                throw MediaFileError(
                    .unsupported,
                    reason: "picture \(index) has FRAME parameter \(String(decoding: field, as: UTF8.self)), expected "
                        + "I1p: interlaced and repeated pictures are not supported", path: file.path,
                    byteOffset: offset)
            }
        }
        expectsParameters = line.count >= Self.plainHeader.count
        try checkComplete(try file.read(into: samples))
        return true
    }

    private func checkComplete(_ count: Int) throws(MediaFileError) {
        guard count == pictures.byteCount else {
            throw MediaFileError(
                .truncated, reason: "picture \(index) ends after \(count) of \(pictures.byteCount) bytes",
                path: file.path, byteOffset: file.position)
        }
    }
}
