// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles

/// A clip held in memory, so that every encoder is given the same pictures and reading costs no time while encoding.
struct Clip: Sendable {
    /// The most bytes of pictures held unless the user asks for a number of frames.
    static let defaultByteLimit = 1 << 30
    /// The most frames used unless the user asks for a number.
    static let defaultFrameLimit = 240

    let name: String
    let info: VideoSourceInfo
    let frames: [SourceFrame]
    /// Whether the file has more frames than are used.
    let isCut: Bool

    /// Puts a clip together.
    init(name: String, info: VideoSourceInfo, frames: [SourceFrame], isCut: Bool) {
        self.name = name
        self.info = info
        self.frames = frames
        self.isCut = isCut
    }

    /// Reads a source to its end, or as far as the limits go.
    ///
    /// - Parameters:
    ///   - source: Where the pictures come from.
    ///   - name: What the clip is called in reports.
    ///   - frameLimit: Frames to use; nil for the default limits.
    /// - Throws: ``MediaFileError`` where the input breaks, with `.truncated` when it has no frames at all.
    init(reading source: any VideoSource, name: String, frameLimit: Int?) throws(MediaFileError) {
        let info = source.info
        let frameBytes = info.pixelFormat.byteCount(width: info.width, height: info.height)
        let limit = frameLimit ?? max(1, min(Self.defaultFrameLimit, Self.defaultByteLimit / frameBytes))
        var frames: [SourceFrame] = []
        while frames.count < limit, let frame = try source.next() { frames.append(frame) }
        if frames.isEmpty { throw MediaFileError(.truncated, reason: "no frames", path: name, byteOffset: 0) }
        var isCut = false
        if frames.count == limit { isCut = try source.next() != nil }
        self.init(name: name, info: info, frames: frames, isCut: isCut)
    }

    /// Seconds from the first picture's time to the end of the last.
    var seconds: Double {
        guard let first = frames.first, let last = frames.last else { return 0 }
        let shown = (last.presentationTime - first.presentationTime).seconds
        if let duration = last.duration { return shown + duration.seconds }
        return frames.count > 1 ? shown * Double(frames.count) / Double(frames.count - 1) : 0
    }

    /// Gives the pictures out once more.
    func makeSource() -> sending any VideoSource { Replay(info: info, frames: frames) }

    private final class Replay: VideoSource {
        let info: VideoSourceInfo
        let byteOffset: Int64 = 0
        private var rest: ArraySlice<SourceFrame>

        init(info: VideoSourceInfo, frames: [SourceFrame]) {
            self.info = info
            rest = frames[...]
        }

        func next() throws(MediaFileError) -> SourceFrame? { rest.popFirst() }
    }
}

/// Keeps the frames of a session in memory.
final class FrameCollector: EncodedFrameWriter {
    private let frames: FrameStore
    private(set) var byteCount: Int64 = 0

    init(_ frames: FrameStore) { self.frames = frames }

    func write(_ frame: EncodedFrame) throws(MediaFileError) {
        byteCount += Int64(frame.accessUnit?.data.count ?? 0)
        frames.append(frame)
    }

    func finish() throws(MediaFileError) {}
}
