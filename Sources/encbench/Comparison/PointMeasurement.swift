// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import MediaFiles

/// Encodes a clip once, decodes what came out, and compares each picture with its source.
struct PointMeasurement: Sendable {
    let clip: Clip
    let kind: EncoderKind
    let configuration: SessionConfiguration
    /// Numbers of pictures, from 0 on, to make key frames.
    var forcedKeyFrames: Set<Int> = []
    /// Whether a program can be told to do the same.
    var hasProgramCommand = true
    /// Ends the measurement early when it happens.
    var interruption = OneShotEvent()
    let logger: Logger

    /// Runs the encode alone, then the decoder.
    ///
    /// Pictures are matched by number in display order, never by time: a time that is rounded the other way would compare
    /// each picture with its neighbour.
    ///
    /// - Parameter progress: Called with the number of frames encoded so far, on another thread.
    /// - Returns: The point; nil when it was interrupted.
    /// - Throws: ``EncoderError``, ``MediaFileError`` or ``CommandFailure``, when frames are missing.
    func run(progress: @escaping @Sendable (_ encoded: Int) -> Void) async throws -> ComparisonPoint? {
        let session = try await kind.makeSession(configuration, logger: logger)
        try await session.prepare()
        // A point that is not finished is of no use: its frames need not come out.
        interruption.whenSignalled { [weak session] in session?.invalidate() }
        let store = FrameStore()
        let start = ResourceUsage.now()
        let outcome = try await EncodeRun(session: session, forcedKeyFrames: forcedKeyFrames).run(
            from: clip.makeSource(), to: FrameCollector(store)
        ) { frame in progress(frame.token as? Int ?? 0) }
        let used = ResourceUsage.now() - start
        guard !interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        guard outcome.encoded == clip.frames.count else {
            throw CommandFailure(
                "\(kind.name) \(configuration.live.rateControl.label): \(outcome.encoded) of \(clip.frames.count) "
                    + "frames were encoded, \(outcome.dropped) dropped; a comparison needs all")
        }
        let pictures = try decodeAndCompare(store.frames)
        guard !interruption.hasHappened else { return nil }
        guard let quality = QualitySummary(pictures) else { throw CommandFailure("\(clip.name): no frames") }
        return ComparisonPoint(
            encoder: kind.name, library: session.encoder.libraryVersion, preset: configuration.preset,
            rate: configuration.live.rateControl.label, frames: outcome.encoded, bytes: outcome.bytes,
            bitsPerSecond: clip.seconds > 0 ? Double(outcome.bytes) * 8 / clip.seconds : 0, quality: quality,
            encodeFramesPerSecond: used.wallSeconds > 0 ? Double(outcome.encoded) / used.wallSeconds : 0,
            wallSeconds: used.wallSeconds, cpuSeconds: used.cpuSeconds,
            command: hasProgramCommand ? ProgramCommand.line(kind, session.effective) : nil,
            adjustments: session.adjustments.map(\.description))
    }

    private func decodeAndCompare(_ frames: [EncodedFrame]) throws -> [PictureQuality] {
        let decoder = try StreamDecoder(codec: configuration.codec)
        var pictures: [PictureQuality] = []
        func take(_ decoded: [DecodedPicture]) throws {
            for picture in decoded {
                guard pictures.count < clip.frames.count else { throw miscounted("more than") }
                if picture.isDamaged { throw CommandFailure("the decoder found picture \(pictures.count) damaged") }
                pictures.append(
                    try PictureQuality(source: clip.frames[pictures.count].picture, decoded: picture.picture))
            }
        }
        for frame in frames {
            guard let unit = frame.accessUnit else { continue }
            guard !interruption.hasHappened else { return [] }
            try take(decoder.decode(unit.data, presentationTime: frame.presentationTime))
        }
        try take(decoder.finish())
        guard pictures.count == clip.frames.count else { throw miscounted("\(pictures.count) of") }
        return pictures
    }

    private func miscounted(_ count: String) -> CommandFailure {
        CommandFailure("the decoder gave \(count) the \(clip.frames.count) pictures that \(kind.name) was given")
    }
}
