// SPDX-License-Identifier: MIT
//
// Encodes with sessions of which so many are open at once, and tells the seconds that opening and encoding took.
// usage: SessionsProbe x264|x265 PRESET live|ahead THREADS|auto SESSIONS AT_ONCE FRAMES
//
// Prints: frames, seconds of opening, seconds of encoding, processor seconds of encoding.

import EncoderAPI
import EncoderConformance
import Glibc
import X264Backend
import X265Backend

struct Job: Sendable {
    private static let (width, height) = (320, 180)

    let backend: any ImmediateBackend
    let configuration: SessionConfiguration
    let frames: Int
    let pictures: [PixelBuffer]

    init?(_ arguments: [String]) throws {
        guard arguments.count == 8, let frames = Int(arguments[7]) else { return nil }
        let isHEVC = arguments[1] == "x265"
        backend = isHEVC ? X265Backend() : X264Backend()
        var configuration = SessionConfiguration(
            codec: isHEVC ? .hevc : .h264, width: Self.width, height: Self.height)
        configuration.preset = arguments[2]
        configuration.realTime = arguments[3] == "live"
        configuration.threadCount = Int(arguments[4])
        configuration.live.expectedFrameRate = 30
        self.configuration = configuration
        self.frames = frames
        let video = SyntheticVideo(width: Self.width, height: Self.height, content: .calm)
        pictures = try (0..<60).map { try video.picture(at: $0) }
    }

    /// Opens sessions and their encoders.
    func open(_ count: Int) async throws -> [CompressionSession] {
        let sessions = try (0..<count).map { _ in try CompressionSession(configuration, encoder: backend) }
        for session in sessions { try await session.prepare() }
        return sessions
    }

    /// Encodes with all sessions at once; the frames that came out.
    func encode(with sessions: [CompressionSession]) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for session in sessions {
                group.addTask { try await encode(with: session) }
            }
            return try await group.reduce(0, +)
        }
    }

    private func encode(with session: CompressionSession) async throws -> Int {
        async let count = Self.count(session.encodedFrames)
        for index in 0..<frames {
            let time = MediaTime(value: Int64(index), timescale: 30)
            try await session.encode(pictures[index % pictures.count], at: time)
        }
        try await session.finish()
        return try await count
    }

    private static func count(_ frames: EncodedFrames) async throws -> Int {
        var count = 0
        for try await frame in frames where frame.accessUnit != nil { count += 1 }
        return count
    }
}

@main enum SessionsProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard let job = try Job(arguments), let sessions = Int(arguments[5]), let atOnce = Int(arguments[6]),
            atOnce > 0
        else {
            print("usage: SessionsProbe x264|x265 PRESET live|ahead THREADS|auto SESSIONS AT_ONCE FRAMES")
            exit(64)
        }
        let clock = ContinuousClock()
        var (frames, opening, encoding, processor) = (0, Duration.zero, Duration.zero, 0.0)
        for first in stride(from: 0, to: sessions, by: atOnce) {
            let start = clock.now
            let open = try await job.open(min(atOnce, sessions - first))
            let opened = clock.now
            let before = processorSeconds()
            frames += try await job.encode(with: open)
            opening += opened - start
            encoding += clock.now - opened
            processor += processorSeconds() - before
        }
        print(frames, opening / .seconds(1), encoding / .seconds(1), processor)
    }

    /// Of all threads of the process.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
