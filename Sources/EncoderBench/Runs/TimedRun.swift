// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles
import Synchronization

/// One encode for its time and memory, as fast as it goes, in a process that does nothing else.
package struct TimedRun: RunKind {
    package static let name = "timed"
    package static let isTimed = true

    package init() {}

    package func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> TimedEncode? {
        try await result(of: point, in: context, now: ResourceUsage.now, progress: progress)
    }

    /// The same by other clocks.
    ///
    /// - Parameters:
    ///   - point: What to encode.
    ///   - context: What the run finds around it.
    ///   - now: Reads the clocks: first where the times begin, then where they end.
    ///   - progress: Called with each frame that is encoded, on another thread.
    /// - Returns: What the encode took by these clocks; nil when the run was interrupted.
    /// - Throws: What the run throws.
    func result(
        of point: PointSpec, in context: RunContext, now: () -> ResourceUsage,
        progress: @escaping @Sendable () -> Void
    ) async throws -> TimedEncode? {
        let session = try await point.work.makeSession(logger: context.logger)
        try await session.prepare()
        context.interruption.whenSignalled { [weak session] in session?.invalidate() }
        let reading = ReadingTime()
        // The clock starts when nothing is left to decode.
        let (pictures, isDecodedMeanwhile) = try await context.openDecoded(point)
        let source = TimedSource(pictures, reading: reading)
        let start = now()
        let outcome = try await EncodeRun(
            session: session, frameLimit: point.work.frameLimit, forcedKeyFrames: Set(point.work.forcedKeyFrames)
        ).run(from: source, to: FrameSink()) { _ in progress() }
        let used = now() - start
        guard !context.interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        return TimedEncode(
            frames: outcome.encoded, bytes: outcome.bytes, wallSeconds: used.wallSeconds,
            cpuSeconds: used.cpuSeconds - reading.seconds, peakResidentBytes: ResourceUsage.peakResidentBytes(),
            isDecodedMeanwhile: isDecodedMeanwhile ? true : nil)
    }
}

/// What one encode took, as the process that did nothing else measured it.
package struct TimedEncode: Codable, Equatable, Sendable {
    package var frames: Int
    package var bytes: Int
    /// Seconds from the first picture's reading, decoded, to the last frame.
    package var wallSeconds: Double
    /// Seconds of all threads on all cores meanwhile, without reading the clip.
    package var cpuSeconds: Double
    /// The most memory that the process ever had resident.
    package var peakResidentBytes: Int?
    /// True where the clip, decoded, had no room on the disk: wall time includes its decoding; else nil.
    package var isDecodedMeanwhile: Bool?

    enum CodingKeys: String, CodingKey {
        case frames, bytes
        case wallSeconds = "wall_seconds"
        case cpuSeconds = "cpu_seconds"
        case peakResidentBytes = "peak_resident_bytes"
        case isDecodedMeanwhile = "decoded_meanwhile"
    }
}

/// CPU time that reading a clip took.
private final class ReadingTime: Sendable {
    private let sum = Mutex(0.0)

    var seconds: Double { sum.withLock { $0 } }

    func add(_ seconds: Double) { sum.withLock { $0 += seconds } }
}

/// A source whose reader's CPU time is counted; it decodes on the thread that asks, so that this is all of it.
private final class TimedSource: VideoSource {
    private let source: any VideoSource
    private let reading: ReadingTime

    init(_ source: any VideoSource, reading: ReadingTime) {
        self.source = source
        self.reading = reading
    }

    var info: VideoSourceInfo { source.info }
    var byteOffset: Int64 { source.byteOffset }

    func next() throws(MediaFileError) -> SourceFrame? {
        let start = Self.threadSeconds()
        defer { reading.add(Self.threadSeconds() - start) }
        return try source.next()
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
