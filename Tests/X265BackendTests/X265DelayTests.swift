// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265DelayTests {
    @Test(
        "the model tells what was measured",
        arguments: [
            (X265Delay(lookahead: 20, bPictures: 4, frameThreads: 1), 29),
            (X265Delay(lookahead: 5, bPictures: 3, frameThreads: 1), 13),
            (X265Delay(lookahead: 0, bPictures: 0, frameThreads: 1), 0),
            (X265Delay(lookahead: 0, bPictures: 0, frameThreads: 3), 3),
            (X265Delay(lookahead: 1, bPictures: 0, frameThreads: 1), 4),
            (X265Delay(lookahead: 5, bPictures: 0, frameThreads: 3), 10),
            (X265Delay(lookahead: 2, bPictures: 1, frameThreads: 1), 7),
            (X265Delay(lookahead: 4, bPictures: 3, frameThreads: 2), 13),
        ])
    func model(row: (delay: X265Delay, held: Int)) {
        #expect(row.delay.maximumDelay == row.held)
    }

    @Test("a pool of threads may hold one picture more, where there is lookahead")
    func pool() {
        let delay = X265Delay(lookahead: 9, bPictures: 0, frameThreads: 1, usesPool: true)
        #expect(delay.maximumDelay == 13)
        #expect(delay.limited(to: 12).maximumDelay == 12)
        #expect(X265Delay(lookahead: 0, bPictures: 0, frameThreads: 1, usesPool: true).maximumDelay == 0)
    }

    @Test("limits are kept with as many B pictures as fit", arguments: 0...40)
    func limits(limit: Int) {
        let usual = X265Delay(lookahead: 20, bPictures: 4, frameThreads: 0)
        let limited = usual.limited(to: limit)
        #expect(limited.maximumDelay <= limit)
        #expect(limited.bPictures == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3][min(limit, 13)] || limit > 13)
        #expect(limited.bPictures == 0 || limited.lookahead > limited.bPictures)
        #expect(usual.limited(to: 1000) == usual)
    }

    @Test("an encoder holds no more than asked", arguments: [0, 1, 3, 4, 7, 10, 15, 30], [nil, 1, 3])
    func heldPictures(limit: Int, threads: Int?) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 50)
        let settings = clip.settings {
            $0.request.maxFrameDelayCount = limit
            $0.request.threadCount = threads
            $0.request.preset = "veryfast"
        }
        let run = try clip.encode(settings)
        #expect(run.encoder.maximumDelay <= limit)
        #expect(run.longestDelay <= run.encoder.maximumDelay)
        #expect(run.output.count == 50)
    }

    @Test("the delay it reports is the one it has", arguments: ["ultrafast", "superfast", "fast", "medium", "slower"])
    func reportedDelay(preset: String) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 70)
        let run = try clip.encode(clip.settings { $0.request.preset = preset })
        #expect(run.longestDelay == run.encoder.maximumDelay)
        #expect(run.encoder.reorderDepth == 2)
    }

    @Test(
        "a live source is answered at once, whatever preset, tune and frame rate",
        arguments: [nil] + X264Family.presets.map(Optional.some), [nil, "animation"])
    func realTime(preset: String?, tune: String?) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 6)
        for isFrameRateKnown in [true, false] {
            let run = try clip.encode(
                clip.settings {
                    ($0.request.realTime, $0.request.threadCount) = (true, nil)
                    ($0.request.preset, $0.request.tune) = (preset, tune)
                    $0.plan.isFrameRateKnown = isFrameRateKnown
                })
            #expect(run.longestDelay == 0 && run.encoder.maximumDelay == 0)
            #expect(run.encoder.reorderDepth == 0)
        }
    }

    @Test(
        "native options that would hold pictures in real time are refused with both names",
        arguments: [
            NativeOption("frame-threads", "2"), NativeOption("bframes", "3"), NativeOption("rc-lookahead", "20"),
        ])
    func realTimeOptions(option: NativeOption) {
        let clip = TestClip.scenes(width: 64, height: 64, count: 6)
        let error = #expect(throws: EncoderError.self) {
            try clip.encode(
                clip.settings {
                    ($0.request.realTime, $0.request.threadCount, $0.request.nativeOptions) = (true, nil, [option])
                })
        }
        #expect(error?.setting == .nativeOptions)
        #expect(error?.reason.contains("\"\(option.name)\"") == true && error?.reason.contains("RealTime") == true)
    }
}
