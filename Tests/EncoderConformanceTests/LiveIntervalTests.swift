// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Key-frame intervals that change while a session runs, again and again, beside other changes.
@Suite(.serialized) struct LiveIntervalTests {
    /// One frame, and what was asked for when it was given.
    private struct Asked {
        let time: MediaTime
        let interval: Int?
        let duration: Double?
    }

    private static let backends: [(any ImmediateBackend, VideoCodec)] = [
        (X264Backend(), .h264), (X265Backend(), .hevc),
    ]

    @Test(
        "no sync frame comes later than the interval in force for a frame allows", .inTurn(), arguments: [0, 1], 0..<8)
    func intervals(index: Int, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed * 2 + index))
        let (backend, codec) = Self.backends[index]
        var configuration = SessionConfiguration(codec: codec, width: 96, height: 64)
        configuration.preset = Bool.random(using: &random) ? "ultrafast" : "veryfast"
        configuration.threadCount = 1
        configuration.live.maxKeyFrameInterval = Self.interval(0...30, &random)
        configuration.live.averageBitRate = 200_000
        let used: any EncoderBackend = Bool.random(using: &random) ? PretendedDevice(backend) : backend
        let session = try CompressionSession(configuration, encoder: try await used.encoder(for: codec), of: used)
        async let collected = collect(session)
        let timescale: Int32 = [10, 30, 600, 1_000_000_000].randomElement(using: &random) ?? 30
        var (asked, live, ticks): ([Asked], LiveSettings, Int64) = ([], configuration.live, 0)
        for frame in 0..<90 {
            if Int.random(in: 0..<8, using: &random) == 0 {
                change(&live, &random)
                let asking = live
                for _ in 0..<Int.random(in: 1...2, using: &random) { _ = try await session.update { $0 = asking } }
            }
            // One in ten comes late.
            ticks += max(Int64(timescale) / 30, 1) * (Int.random(in: 0..<10, using: &random) == 0 ? 7 : 1)
            let time = MediaTime(value: ticks, timescale: timescale)
            asked.append(
                Asked(time: time, interval: live.maxKeyFrameInterval, duration: live.maxKeyFrameIntervalDuration))
            let isForced = Int.random(in: 0..<30, using: &random) == 0
            try await session.encode(
                try picture(session, frame, isCut: Int.random(in: 0..<25, using: &random) == 0), at: time,
                options: FrameOptions(forceKeyFrame: isForced, token: frame))
            if Int.random(in: 0..<40, using: &random) == 0 { try await session.complete() }
        }
        try await session.finish()
        check(try await collected, asked)
    }

    private func collect(_ session: CompressionSession) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return frames
    }

    /// An interval of a range; nil in place of 0.
    private static func interval(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> Int? {
        let interval = Int.random(in: range, using: &random)
        return interval == 0 ? nil : interval
    }

    private func change(_ live: inout LiveSettings, _ random: inout SeededGenerator) {
        let what = Int.random(in: 0..<4, using: &random)
        if what != 1, what != 2 { live.maxKeyFrameInterval = Self.interval(0...12, &random) }
        if what != 0, what != 2 { live.maxKeyFrameIntervalDuration = Double.random(in: 0.03...1, using: &random) }
        if what == 2 { live.averageBitRate = Int.random(in: 50_000...900_000, using: &random) }
    }

    /// A moving texture, with other brightness at a cut.
    private func picture(_ session: CompressionSession, _ frame: Int, isCut: Bool) throws -> PixelBuffer {
        var buffer = try session.pixelBufferPool.makeMutablePixelBuffer()
        let base = isCut ? UInt8(truncatingIfNeeded: frame * 90) : 60
        for plane in 0..<3 {
            buffer.withMutablePlane(plane) { bytes, _ in
                for index in bytes.indices {
                    bytes[index] = base &+ UInt8(truncatingIfNeeded: index &* (frame + 3)) % 40
                }
            }
        }
        return PixelBuffer(buffer)
    }

    private func check(_ frames: [EncodedFrame], _ asked: [Asked]) {
        #expect(frames.count == asked.count)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(frames.allSatisfy { $0.decodeTime <= $0.presentationTime })
        var sync: Int?
        for (index, frame) in frames.sorted(by: { $0.presentationTime < $1.presentationTime }).enumerated() {
            if frame.accessUnit?.isSync == true { sync = index }
            guard let sync else {
                Issue.record("frame \(index) comes before any sync frame")
                return
            }
            let (now, gap) = (asked[index], (asked[index].time - asked[sync].time).seconds)
            #expect(now.interval.map { index - sync < $0 } ?? true, "frame \(index), sync frame \(sync)")
            // The duration counts in whole microseconds.
            #expect(
                now.duration.map { index == sync || gap < $0 + 1e-6 } ?? true, "frame \(index), sync frame \(sync)")
        }
    }
}
