// SPDX-License-Identifier: MIT

import EncoderAPI
@testable import MediaFiles
import Synchronization

/// Gray pictures that grow brighter, and perhaps a failure after them.
final class GraySource: VideoSource {
    let info: VideoSourceInfo
    private(set) var byteOffset: Int64 = 0
    private let count: Int
    private let failure: MediaFileError?
    private let whenAsked: (@Sendable (Int) -> Void)?
    private var index = 0

    init(
        count: Int, width: Int = 64, height: Int = 64, failure: MediaFileError? = nil,
        whenAsked: (@Sendable (Int) -> Void)? = nil
    ) {
        info = VideoSourceInfo(
            formatName: "gray", pixelFormat: .i420, width: width, height: height, frameRate: 25, timescale: 25)
        self.count = count
        self.failure = failure
        self.whenAsked = whenAsked
    }

    func next() throws(MediaFileError) -> SourceFrame? {
        whenAsked?(index)
        if index == count, let failure { throw failure }
        guard index < count else { return nil }
        defer { index += 1 }
        return SourceFrame(
            picture: try Self.picture(index, info), presentationTime: MediaTime(value: Int64(index), timescale: 25),
            duration: MediaTime(value: 1, timescale: 25))
    }

    private static func picture(_ index: Int, _ info: VideoSourceInfo) throws(MediaFileError) -> PixelBuffer {
        do throws(EncoderError) {
            var picture = try MutablePixelBuffer(format: info.pixelFormat, width: info.width, height: info.height)
            for plane in 0..<3 {
                picture.withMutablePlane(plane) { bytes, _ in
                    for offset in bytes.indices { bytes[offset] = UInt8(truncatingIfNeeded: index * 3 + offset) }
                }
            }
            return PixelBuffer(picture)
        } catch {
            throw MediaFileError(.outOfMemory, reason: error.reason)
        }
    }
}

/// Keeps what it is given, and may fail at one of the frames.
final class MemoryWriter: EncodedFrameWriter {
    /// What came in, to be looked at when the writer is gone.
    final class Log: Sendable {
        let frames = Mutex<[EncodedFrame]>([])
        let isFinished = Mutex(false)
    }

    let log: Log
    private(set) var byteCount: Int64 = 0
    private let failsAt: Int?
    private var count = 0

    init(_ log: Log, failsAt: Int? = nil) {
        self.log = log
        self.failsAt = failsAt
    }

    func write(_ frame: EncodedFrame) throws(MediaFileError) {
        if count == failsAt { throw MediaFileError(.diskFull, reason: "no room") }
        count += 1
        byteCount += Int64(frame.accessUnit?.data.count ?? 0)
        log.frames.withLock { $0.append(frame) }
    }

    func finish() throws(MediaFileError) { log.isFinished.withLock { $0 = true } }
}
