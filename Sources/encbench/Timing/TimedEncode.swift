// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Logging
import MediaFiles
import Synchronization

/// What one encode took, as the process that did nothing else measured it.
struct TimedEncode: Codable, Equatable, Sendable {
    var frames: Int
    var bytes: Int
    /// Seconds from the first picture's reading to the last frame.
    var wallSeconds: Double
    /// Seconds of all threads on all cores meanwhile, without reading and decoding the clip.
    var cpuSeconds: Double
    /// The most memory that the process ever had resident.
    var peakResidentBytes: Int?

    enum CodingKeys: String, CodingKey {
        case frames, bytes
        case wallSeconds = "wall_seconds"
        case cpuSeconds = "cpu_seconds"
        case peakResidentBytes = "peak_resident_bytes"
    }
}

extension TimedEncode {
    /// Encodes a point in this process and drops what comes out.
    init(of point: PointSpec) async throws {
        let kind = try OptionParsing.encoder(point.work.encoder)
        let session = try await kind.makeSession(try point.work.configuration(), logger: Logger(label: "encbench"))
        try await session.prepare()
        let reading = ReadingTime()
        let source = TimedSource(try point.open(), reading: reading)
        let start = ResourceUsage.now()
        let outcome = try await EncodeRun(
            session: session, frameLimit: point.work.frameLimit, forcedKeyFrames: Set(point.work.forcedKeyFrames)
        ).run(from: source, to: NullWriter())
        let used = ResourceUsage.now() - start
        if let error = outcome.error { throw error }
        self.init(
            frames: outcome.encoded, bytes: outcome.bytes, wallSeconds: used.wallSeconds,
            cpuSeconds: used.cpuSeconds - reading.seconds, peakResidentBytes: ResourceUsage.peakResidentBytes())
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

/// Takes frames and keeps nothing.
private final class NullWriter: EncodedFrameWriter {
    private(set) var byteCount: Int64 = 0

    func write(_ frame: EncodedFrame) { byteCount += Int64(frame.accessUnit?.data.count ?? 0) }

    func finish() {}
}
