// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Logging
import OpenH264Backend
import ParameterSets
import TestSupport
import Testing

@Suite(.requiresOpenH264)
struct OpenH264EncoderTests {
    @Test("in real time pictures are dropped where the average is too low, and intervals count them")
    func drops() throws {
        let settings = ResolvedSettings.small {
            $0.request.realTime = true
            $0.live.rate = .init(.averageBitRate(30_000))
            $0.live.asked.maxKeyFrameInterval = 20
        }
        let run = try EncoderDriver(settings, .busy)
        try run.encode(90)
        #expect(run.dropped.count > 10)
        #expect(run.keyFrames == [0, 20, 40, 60, 80])
        let patient = try EncoderDriver(settings.with { $0.request.realTime = false }, .busy)
        try patient.encode(90)
        #expect(patient.dropped == [])
        #expect(run.byteCount < patient.byteCount)
    }

    @Test("the parameter sets told beforehand are those of the stream")
    func parameterSets() throws {
        let run = try EncoderDriver(.small { $0.request.color = .bt709 })
        try run.encode(1)
        #expect(try run.encoder.parameterSets == Array(run.units.prefix(2)))
        #expect(run.units.count == 3)
    }

    @Test(
        "profiles, levels and constraints are signalled",
        arguments: [
            (nil, 66, "Constrained Baseline"), (.h264Baseline, 66, "Constrained Baseline"), (.h264Main, 77, "Main"),
            (.h264High, 100, "Constrained High"), (.h264ConstrainedHigh, 100, "Constrained High"),
        ] as [(Profile?, Int, String)])
    func profiles(profile: Profile?, idc: Int, name: String) throws {
        let run = try EncoderDriver(
            .small(width: 1280, height: 720, frameRate: 120) { $0.request.profileLevel.profile = profile })
        try run.encode(1)
        let sps = try run.sps
        #expect((sps.profile.profileIdc, "\(sps.profile)", sps.level) == (idc, name, H264Level(rawValue: 42)))
    }

    @Test("a small picture at a low rate says its level, and not 1b", arguments: [nil, 11, 32])
    func smallLevels(level: Int?) throws {
        let run = try EncoderDriver(
            .small {
                $0.plan.level = level
                $0.live.rate = .init(.averageBitRate(100_000))
            })
        try run.encode(1)
        let told = try H264SPS(nalUnit: try #require(try run.encoder.parameterSets?.first))
        for sps in [try run.sps, told] {
            #expect((sps.level.rawValue, sps.constraints.set3) == (level ?? 11, false))
        }
    }

    @Test(
        "an update that the library cannot follow takes another encoder",
        arguments: [
            { $0.asked.minAllowedFrameQP = 30 }, { $0.asked.maxAllowedFrameQP = 30 },
            { $0.rate = .init(.constantQuantizer(30)) },
            // Level 1.1, which the stream has, ends at 192 kbit/s.
            { $0.rate = .init(.averageBitRate(2_000_000)) },
        ] as [@Sendable (inout LiveParameters) -> Void])
    func updates(change: @Sendable (inout LiveParameters) -> Void) throws {
        let run = try EncoderDriver(.small { $0.live.rate = .init(.averageBitRate(150_000)) })
        try run.encode(5)
        #expect(try run.update(change) == .withAnotherEncoder)
        // The encoder is as it was.
        try run.encode(5)
        #expect(run.keyFrames == [0])
    }

    @Test("an update is listed with what it changed")
    func updateAdjustments() throws {
        let buffer = BufferModel(peakBitsPerSecond: 100_000, bits: 250_000)
        let run = try EncoderDriver(.small { $0.live.rate = .init(.averageBitRate(150_000), buffer: buffer) })
        #expect(try run.update { $0.rate = .init(.averageBitRate(100_000), buffer: buffer) } == .fromNextPicture)
        #expect(run.encoder.adjustments.map(\.used) == ["100000 bit/s over time"])
    }

    @Test("bits for each second come as asked whatever the frame rate", arguments: [10, 30, 120, 240])
    func frameRates(rate: Int) throws {
        let run = try EncoderDriver(
            .small(frameRate: FrameRate(numerator: rate)) { $0.live.rate = .init(.averageBitRate(400_000)) }, .busy)
        try run.encode(rate * 4)
        #expect(abs(Double(run.byteCount) * 8 / 4 / 400_000 - 1) < 0.1)
    }

    @Test(
        "no pace ends a stream, whether it is measured or told with an update",
        arguments: [
            FrameRate(numerator: 1, denominator: 3600), FrameRate(numerator: 1, denominator: 100),
            FrameRate(numerator: 1, denominator: 3), 1, 5, 59, 61, 1000,
            FrameRate(numerator: 1_000_000),
        ])
    func paces(pace: FrameRate) async throws {
        let run = try EncoderDriver(.small { $0.live.rate = .init(.averageBitRate(150_000)) }, .busy)
        try run.encode(3)
        #expect(try run.update { $0.pace = pace } == .fromNextPicture)
        try run.encode(3)
        #expect((run.output.count, run.keyFrames) == (6, [0]))
        // What sessions take as a hint.
        guard (0.01...1000).contains(pace.framesPerSecond) else { return }
        var configuration = SessionConfiguration(codec: .h264, width: 176, height: 144, pixelFormat: .i420)
        configuration.live.averageBitRate = 150_000
        configuration.live.expectedFrameRate = 30
        let session = try CompressionSession(configuration, encoder: OpenH264Backend())
        async let given: Void = {
            // What fails must end the stream that is read below.
            var isDone = false
            defer { if !isDone { session.invalidate() } }
            let video = SyntheticVideo(width: 176, height: 144)
            for index in 0..<8 {
                if index == 4 { try await session.update { $0.expectedFrameRate = pace } }
                let seconds = index < 4 ? Double(index) / 30 : 1 + Double(index) / pace.framesPerSecond
                let time = MediaTime(value: Int64(seconds * 1_000_000_000), timescale: 1_000_000_000)
                try await session.encode(try video.picture(at: index), at: time)
            }
            try await session.finish()
            isDone = true
        }()
        var count = 0
        for try await frame in session.encodedFrames where frame.accessUnit != nil { count += 1 }
        try await given
        #expect(count == 8)
    }

    @Test("the library's messages go to the logger, its warnings as information")
    func log() throws {
        let log = RecordingLog()
        let run = try EncoderDriver(
            .small { $0.live.rate = .init(.averageBitRate(100_000)) }, logger: log.logger(level: .debug))
        try run.encode(1)
        #expect(log.texts(.info).contains { $0.contains("bEnableFrameSkip") })
        #expect(log.texts(.debug).contains { $0.contains("iUsageType") })
        #expect(log.texts(.warning) == [] && log.texts(.error) == [])
    }

    @Test("the same settings give the same bytes, with threads too", arguments: [1, 4])
    func repeatable(threads: Int) throws {
        let streams = try (0..<3).map { _ in
            let run = try EncoderDriver(
                .small(width: 640, height: 360) {
                    $0.request.threadCount = threads
                    $0.live.rate = .init(.averageBitRate(500_000))
                }, .busy)
            try run.encode(15)
            return run.units
        }
        #expect(streams[0] == streams[1] && streams[1] == streams[2])
    }

    @Test("what the library refuses is thrown in its words")
    func refusal() {
        let error = #expect(throws: EncoderError.self) {
            // No session asks for so little.
            try EncoderDriver(.small { $0.live.rate = .init(.averageBitRate(1)) })
        }
        #expect(error?.code == .backendFailure)
        #expect(error?.reason.contains("Invalid bitrate settings") == true, "\(String(describing: error))")
    }
}
