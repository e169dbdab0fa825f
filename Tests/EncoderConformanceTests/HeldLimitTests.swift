// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Data-rate limits with the libraries themselves, where their own buffers do not keep them.
@Suite(.timeLimit(.minutes(2))) struct HeldLimitTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let codec: VideoCodec
        let width: Int
        let height: Int
        let control: RateControl
        let limits: [DataRateLimit]
        let keyFrames: KeyFrames
        let isRealTime: Bool

        var testDescription: String {
            "\(codec) \(width)x\(height), \(control), \(limits), \(keyFrames)\(isRealTime ? ", real time" : "")"
        }
        /// A key frame that is asked for at random comes to an encoder that looks ahead when pictures before it, inside
        /// by then, have spent its room: once in some hundred lives one picture finds none, even with the coarsest
        /// quantizer.
        var mostDropped: Int { keyFrames == .random && !isRealTime ? 1 : 0 }
        var labels: [String] { ["\(codec)", "\(keyFrames)", "\(isRealTime)", "\(control)", "\(limits)"] }
    }

    enum KeyFrames: String, CaseIterable { case usual, random, every }

    static let rows: [Row] = VideoCodec.allCases.flatMap { codec in
        [(64, 64), (352, 288)].flatMap { width, height in
            [RateControl.averageBitRate(width * height * 3), .constantRateFactor(20), .quality(0.6)].flatMap {
                control in
                [[0.2], [0.5], [1], [3], [0.2, 1]].flatMap { windows in
                    KeyFrames.allCases.flatMap { keyFrames in
                        [false, true].map { isRealTime in
                            Row(
                                codec: codec, width: width, height: height, control: control,
                                // Room for each picture to be a sync frame of an eighth of a bit for each sample.
                                limits: windows.map { seconds in
                                    DataRateLimit(
                                        bytes: Int(Double(width * height) / 64 * 30 * seconds) + 400, seconds: seconds)
                                }, keyFrames: keyFrames, isRealTime: isRealTime)
                        }
                    }
                }
            }
        }
    }

    @Test(
        "no window is above its limit, and no frame is dropped where each can be a key frame",
        arguments: Sample.of(rows, thorough: 80, labels: \.labels))
    func sampledHolds(row: Row) async throws {
        var configuration = SessionConfiguration(codec: row.codec, width: row.width, height: row.height)
        configuration.live = LiveSettings(
            rateControl: row.control, dataRateLimits: row.limits, expectedFrameRate: 30)
        configuration.preset = row.width > 64 ? "superfast" : "veryfast"
        configuration.realTime = row.isRealTime
        if row.keyFrames == .every { configuration.live.maxKeyFrameInterval = 1 }
        let backend: any ImmediateBackend = row.codec == .h264 ? X264Backend() : X265Backend()
        let session = try CompressionSession(configuration, encoder: backend)
        let contents: [SyntheticVideo.Content] = [.calm, .busy, .flat, .calm]
        let videos = contents.map { SyntheticVideo(width: row.width, height: row.height, content: $0) }
        var generator = SeededGenerator()
        async let collected = session.collected()
        for index in 0..<100 {
            // A cut every 25 pictures.
            let picture = try videos[index / 25].picture(at: index)
            let isForced = row.keyFrames == .random && Int.random(in: 0..<8, using: &generator) == 0
            try await session.encode(
                picture, at: MediaTime(value: Int64(index), timescale: 30),
                options: FrameOptions(forceKeyFrame: isForced))
        }
        try await session.finish()
        let frames = try await collected
        for limit in row.limits { #expect(frames.mostBytes(inWindowsOf: limit.seconds) <= limit.bytes) }
        #expect(frames.count == 100 && frames.count { $0.dropReason != nil } <= row.mostDropped)
    }

    @Test(
        "in real time a limit that equals the average leaves most of it, without a drop",
        arguments: [(VideoCodec.h264, 1.0, 0.85), (.h264, 3, 0.92), (.hevc, 3, 0.92)])
    func leavesAverage(codec: VideoCodec, seconds: Double, share: Double) async throws {
        let average = 300_000
        let limit = DataRateLimit(bytes: Int(Double(average) / 8 * seconds), seconds: seconds)
        var configuration = SessionConfiguration(codec: codec, width: 176, height: 144)
        configuration.live = LiveSettings(
            rateControl: .averageBitRate(average), dataRateLimits: [limit], expectedFrameRate: 30)
        configuration.preset = "veryfast"
        configuration.realTime = true
        configuration.threadCount = 1
        let backend: any ImmediateBackend = codec == .h264 ? X264Backend() : X265Backend()
        let session = try CompressionSession(configuration, encoder: backend)
        let video = SyntheticVideo(width: 176, height: 144, content: .calm)
        async let collected = session.collected()
        for index in 0..<300 {
            try await session.encode(try video.picture(at: index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        let frames = try await collected
        #expect(!session.adjustments.contains { $0.setting == .averageBitRate })
        #expect(frames.count == 300 && frames.allSatisfy { $0.accessUnit != nil })
        #expect(frames.mostBytes(inWindowsOf: seconds) <= limit.bytes)
        let came = try #require(session.statistics.bitRate?.bitsPerSecond)
        #expect(came >= share * Double(average), "\(came) bit/s")
    }
}
