// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import TestSupport
import Testing

@testable import X264Backend

@Suite struct X264LatencyTests {
    private static let clip = TestClip.textures(width: 64, height: 64, count: 50)

    private func latency(_ change: (inout ResolvedSettings) -> Void) throws -> X264Latency {
        let settings = ResolvedSettings(codec: .h264, width: 1920, height: 1080).with(change)
        return X264Latency(preset: try X264Parameters(settings, processorCount: 8).raw)
    }

    @Test("a frame delay is spent on timestamps, then threads, then B pictures and lookahead")
    func spending() throws {
        let plan = try latency { $0.request.maxFrameDelayCount = 8 }
        #expect(plan.followsTimestamps)
        #expect(plan.threads == 4)
        #expect(plan.syncLookahead == 0)
        #expect(plan.bFrames == 3)
        #expect(plan.lookahead == 4)
    }

    @Test("no frame delay leaves nothing but one thread at the given frame rate")
    func nothing() throws {
        let plan = try latency { $0.request.maxFrameDelayCount = 0 }
        #expect(!plan.followsTimestamps)
        #expect((plan.threads, plan.bFrames, plan.lookahead, plan.syncLookahead) == (1, 0, 0, 0))
        #expect(!plan.usesSlicedThreads)
    }

    @Test("real time takes as many threads as there are times 1080p30 in the pictures")
    func realTime() throws {
        let plan = try latency {
            $0.request.realTime = true
            $0.plan.frameRate = 60
        }
        #expect((plan.threads, plan.bFrames, plan.lookahead) == (2, 0, 0))
        #expect(!plan.followsTimestamps)
    }

    @Test(
        "in real time no preset, tune or missing frame rate holds a picture",
        arguments: [nil] + X264Family.presets.map(Optional.some),
        [nil, "animation", "zerolatency"])
    func realTimePresets(preset: String?, tune: String?) throws {
        for isFrameRateKnown in [true, false] {
            let plan = try latency {
                ($0.request.realTime, $0.request.preset, $0.request.tune) = (true, preset, tune)
                $0.request.allowFrameReordering = true
                $0.plan.isFrameRateKnown = isFrameRateKnown
            }
            #expect((plan.threads, plan.bFrames, plan.lookahead, plan.syncLookahead) == (1, 0, 0, 0))
            #expect(!plan.followsTimestamps && !plan.usesSlicedThreads)
        }
    }

    @Test(
        "above 1080p30 threads in real time follow the load, unless their number or a frame delay is asked for",
        arguments: [(nil, nil, 2), (nil, 0, 1), (nil, 1, 2), (1, nil, 1), (6, nil, 6), (6, 2, 3)] as [(Int?, Int?, Int)]
    )
    func realTimeThreads(asked: Int?, limit: Int?, threads: Int) throws {
        let plan = try latency {
            ($0.request.realTime, $0.request.preset) = (true, "medium")
            ($0.request.threadCount, $0.request.maxFrameDelayCount) = (asked, limit)
            $0.plan.frameRate = 60
        }
        #expect((plan.threads, plan.bFrames, plan.lookahead) == (threads, 0, 0))
    }

    @Test(
        "what real time takes from a preset and a tune that are named is listed",
        arguments: [
            (nil, nil, []), ("medium", nil, [.preset]), ("ultrafast", nil, [.preset]), (nil, "animation", [.tune]),
            ("medium", "animation", [.preset, .tune]), (nil, "film", []), ("medium", "zerolatency", [.tune]),
        ] as [(String?, String?, [Setting])])
    func realTimeListed(preset: String?, tune: String?, settings: [Setting]) throws {
        let asked = ResolvedSettings(codec: .h264, width: 640, height: 360).with {
            ($0.request.realTime, $0.request.preset, $0.request.tune) = (true, preset, tune)
        }
        #expect(try X264Parameters(asked, processorCount: 8).adjustments.map(\.setting) == settings)
        let unknown = asked.with { $0.plan.isFrameRateKnown = false }
        #expect(
            try X264Parameters(unknown, processorCount: 8).adjustments.map(\.setting) == settings + [.expectedFrameRate]
        )
    }

    @Test("threads that are asked for hold pictures in real time, which is listed")
    func realTimeThreads() throws {
        let settings = ResolvedSettings(codec: .h264, width: 640, height: 360).with {
            ($0.request.realTime, $0.request.threadCount) = (true, 4)
        }
        let encoder = try X264Backend().openFirst(settings, logger: .silent)
        #expect(encoder.maximumDelay == 3)
        #expect(encoder.adjustments.map(\.setting) == [.realTime])
    }

    @Test(
        "native options that would hold pictures in real time are refused with both names",
        arguments: [
            NativeOption("bframes", "3"), NativeOption("rc-lookahead", "20"), NativeOption("sync-lookahead", "4"),
        ])
    func realTimeOptions(option: NativeOption) {
        let settings = ResolvedSettings(codec: .h264, width: 640, height: 360).with {
            ($0.request.realTime, $0.request.nativeOptions) = (true, [option])
        }
        let error = #expect(throws: EncoderError.self) { try X264Backend().openFirst(settings, logger: .silent) }
        #expect(error?.setting == .nativeOptions)
        #expect(error?.reason.contains("\"\(option.name)\"") == true && error?.reason.contains("RealTime") == true)
    }

    @Test(
        "in real time each call gives out its picture, whatever the preset", arguments: X264Family.presets,
        [true, false])
    func realTimePictures(preset: String, isFrameRateKnown: Bool) throws {
        let settings = Self.clip.settings.with {
            ($0.request.realTime, $0.request.preset, $0.request.threadCount) = (true, preset, nil)
            $0.plan.isFrameRateKnown = isFrameRateKnown
        }
        let driver = try EncoderDriver(Self.clip, settings)
        #expect(driver.encoder.maximumDelay == 0 && driver.encoder.reorderDepth == 0)
        #expect(try driver.encode(6) == Array(repeating: 1, count: 6))
    }

    @Test("what a frame delay takes from a named preset, tune or thread count is listed")
    func listed() throws {
        let settings = ResolvedSettings(codec: .h264, width: 640, height: 360).with {
            $0.request.maxFrameDelayCount = 0
            $0.request.preset = "slow"
            $0.request.tune = "zerolatency"
            $0.request.threadCount = 4
        }
        let listed = try X264Parameters(settings, processorCount: 8).adjustments.map(\.setting)
        #expect(listed == [.tune, .threadCount])
        // An average without a buffer, which no session has.
        let average = settings.with { $0.live.rate = .init(.averageBitRate(500_000)) }
        #expect(try X264Parameters(average).adjustments.map(\.setting).contains(.expectedFrameRate))
        let slow = settings.with {
            $0.request.tune = nil
            $0.request.maxFrameDelayCount = 5
        }
        #expect(try X264Parameters(slow).adjustments.map(\.setting) == [.preset])
    }

    @Test("frame N - M is out when frame N went in", arguments: [0, 1, 2, 3, 5, 10, 40], [nil, 1, 2])
    func delay(limit: Int, threads: Int?) throws {
        let settings = Self.clip.settings.with {
            $0.request.maxFrameDelayCount = limit
            $0.request.threadCount = threads
            $0.live.rate = .init(
                .averageBitRate(100_000), buffer: BufferModel(peakBitsPerSecond: 100_000, bits: 100_000))
        }
        let driver = try EncoderDriver(Self.clip, settings)
        #expect(driver.encoder.maximumDelay <= limit)
        var inside = 0
        for count in try driver.encode(Self.clip.frames.count) {
            inside += 1 - count
            #expect(inside <= limit)
        }
        try driver.flush()
        #expect(driver.output.map(\.id).sorted() == Array(0..<Self.clip.frames.count))
    }

    @Test("native options that break the delay are refused")
    func nativeOption() {
        let settings = Self.clip.settings.with {
            $0.request.maxFrameDelayCount = 1
            $0.request.nativeOptions = [NativeOption("bframes", "3")]
        }
        let error = #expect(throws: EncoderError.self) { try EncoderDriver(Self.clip, settings) }
        #expect(error?.setting == .nativeOptions)
        #expect(error?.reason.contains("\"bframes\" with \"3\" contradicts MaxFrameDelayCount 1 frames") == true)
    }

    @Test("real time gives one picture of one slice for each frame", arguments: [nil, "zerolatency", "film"])
    func realTimeSlices(tune: String?) throws {
        let settings = Self.clip.settings.with {
            $0.request.realTime = true
            $0.request.threadCount = nil
            $0.request.tune = tune
        }
        let driver = try EncoderDriver(Self.clip, settings)
        #expect(driver.encoder.maximumDelay == 0)
        #expect(driver.encoder.reorderDepth == 0)
        #expect(try driver.encode(20) == Array(repeating: 1, count: 20))
        #expect(driver.output.allSatisfy { $0.slices.count == 1 })
    }
}
