// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures
import Synchronization

/// One session from its first frame to its end.
struct SessionRun: Sendable {
    var configuration: SessionConfiguration
    let given: [GivenFrame]
    /// Everything that came out, in order.
    let frames: [EncodedFrame]
    /// What the session said it does differently.
    let adjustments: [Adjustment]

    /// Indices of the frames that came out as sync frames, in display order.
    var syncIndices: [Int] {
        frames.filter { $0.accessUnit?.isSync == true }.compactMap { $0.token as? Int }.sorted()
    }

    /// Frames from each of these to the next one, and from the last to the end.
    func intervals(_ starts: [Int]) -> [Int] { zip(starts, starts.dropFirst() + [given.count]).map { $1 - $0 } }

    /// The frames in display order.
    var displayed: [EncodedFrame] { frames.sorted { $0.presentationTime < $1.presentationTime } }

    /// What became of one frame given.
    func frame(_ index: Int) -> EncodedFrame? {
        frames.first { $0.token as? Int == index }
    }

    /// Bytes of the access units of some frames given.
    func byteCount(_ indices: Range<Int>) -> Int {
        frames.filter { ($0.token as? Int).map(indices.contains) ?? false }
            .reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) }
    }

    /// The whole stream in decode order, with its parameter sets.
    var stream: [UInt8] {
        EncodedStream(codec: configuration.codec, frames: frames).annexBUnits.flatMap { $0 }
    }

    /// All bytes together.
    var totalBytes: Int { byteCount(given.indices) }

    /// Whether the session said that it does something about a setting differently.
    func adjusts(_ setting: Setting) -> Bool { adjustments.contains { $0.setting == setting } }

    /// What the first frame's parameter sets say.
    ///
    /// - Throws: `ParameterSetError` for sets that cannot be read, `NoFrame` where nothing was encoded.
    func headers() throws -> StreamHeaders {
        guard let unit = frames.lazy.compactMap(\.accessUnit).first else { throw NoFrame() }
        return try StreamHeaders(unit.format)
    }

    /// The slices of all frames, or of some of those given, in decode order.
    ///
    /// - Throws: `ParameterSetError` for headers that cannot be read.
    func slices(of indices: Range<Int>? = nil) throws -> [StreamHeaders.Slice] {
        var format: FormatDescription?
        var headers: StreamHeaders?
        let frames = frames.filter { frame in
            indices.map { ($0).contains(frame.token as? Int ?? -1) } ?? true
        }
        return try frames.compactMap(\.accessUnit).flatMap { unit in
            if unit.format != format { (format, headers) = (unit.format, try StreamHeaders(unit.format)) }
            return try headers?.slices(of: unit) ?? []
        }
    }

    /// Thrown where a stream has no frame.
    struct NoFrame: Error, CustomStringConvertible {
        let description = "no frame was encoded"
    }

    /// What a checker that knows no encoder finds.
    func check(_ scenario: String, allowsFailures: Bool = false) -> [Finding] {
        StreamChecker(
            configuration: configuration, given: given, scenario: scenario, allowsFailures: allowsFailures
        ).check(frames)
    }
}

extension ScenarioContext {
    /// Something to do before a frame is given.
    typealias Hook = @Sendable (_ index: Int, _ session: CompressionSession) async throws -> Void

    /// Encodes frames of a video in a session of its own, reading along, and finishes it.
    ///
    /// - Parameters:
    ///   - configuration: What the session is made with.
    ///   - given: Times, durations and forced key frames.
    ///   - content: Which pictures.
    ///   - before: Called before each frame is given.
    ///   - after: Called after `encode` of each frame returned.
    /// - Returns: What came out.
    /// - Throws: What the session or a hook throws.
    func run(
        _ configuration: SessionConfiguration, _ given: [GivenFrame], content: SyntheticVideo.Content = .calm,
        before: Hook? = nil, after: Hook? = nil
    ) async throws -> SessionRun {
        let video = Self.video(for: configuration, content)
        return try await run(
            configuration, given, picture: { index throws(EncoderError) in try video.picture(at: index) },
            before: before, after: after)
    }

    /// Encodes frames with pictures of the caller's in a session of its own, reading along, and finishes it.
    func run(
        _ configuration: SessionConfiguration, _ given: [GivenFrame],
        picture: @Sendable (Int) throws(EncoderError) -> PixelBuffer, before: Hook? = nil, after: Hook? = nil
    ) async throws -> SessionRun {
        guard let youth = try youth(before: configuration) else {
            return try await Self.run(session(configuration), given, picture: picture, before: before, after: after)
        }
        var first = configuration
        (first.width, first.height) = (youth.width, youth.height)
        let video = Self.video(for: first)
        let session = try session(first)
        do {
            for index in 0..<youth.count {
                try await session.encode(
                    try video.picture(at: index), at: youth.time(index))
            }
            _ = try await session.changePictures(width: configuration.width, height: configuration.height)
        } catch {
            session.invalidate()
            throw error
        }
        let later = given.map { frame in
            var frame = frame
            frame.time = frame.time + youth.length
            return frame
        }
        var run = try await Self.run(session, later, picture: picture, before: before, after: after)
        run.configuration.width = configuration.width
        run.configuration.height = configuration.height
        return run
    }

    /// Encodes frames in a session, reading along, and finishes it.
    static func run(
        _ session: CompressionSession, _ given: [GivenFrame],
        picture: @Sendable (Int) throws(EncoderError) -> PixelBuffer, before: Hook? = nil, after: Hook? = nil
    ) async throws -> SessionRun {
        async let frames = read(session.encodedFrames)
        do {
            for (index, frame) in given.enumerated() {
                try await before?(index, session)
                try await session.encode(
                    try picture(index), at: frame.time, duration: frame.duration,
                    options: FrameOptions(forceKeyFrame: frame.forceKeyFrame, token: index))
                try await after?(index, session)
            }
            try await session.finish()
        } catch {
            session.invalidate()
            throw error
        }
        // Frames without a token belong to the time before.
        return SessionRun(
            configuration: session.configuration, given: given, frames: try await frames.filter { $0.token != nil },
            adjustments: session.adjustments)
    }

    /// Everything a session gives out.
    static func read(_ encodedFrames: EncodedFrames) async throws(EncoderError) -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in encodedFrames { frames.append(frame) }
        return frames
    }
}
