// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import TestSupport
import Testing

@testable import X264Backend

@Suite struct X264TrellisTests {
    private static let clip = TestClip.textures(width: 64, height: 64, count: 50)

    private func encoder(
        _ preset: String, _ limit: Int, isRealTime: Bool = false
    ) throws -> any FrameEncoder {
        let settings = Self.clip.settings.with {
            ($0.request.preset, $0.request.maxFrameDelayCount) = (preset, limit)
            $0.request.realTime = isRealTime
        }
        return try X264Backend().openFirst(settings, logger: .silent)
    }

    @Test("every preset opens with every frame delay, and holds no more", arguments: X264Family.presets, [true, false])
    func presets(preset: String, isRealTime: Bool) throws {
        for limit in 0...20 {
            let held = try encoder(preset, limit, isRealTime: isRealTime).maximumDelay
            #expect(held <= (isRealTime ? 0 : limit), "\(limit)")
        }
    }

    @Test(
        "B pictures stay where the frame delay allows them, with the trellis where it allows that",
        arguments: [
            ("slower", 0, 0, false), ("slower", 2, 1, false), ("slower", 5, 3, false), ("slower", 13, 3, true),
            ("veryslow", 12, 8, false), ("veryslow", 13, 3, true), ("veryslow", 25, 6, true), ("medium", 8, 3, false),
        ])
    func spending(preset: String, limit: Int, bFrames: Int, usesTrellis: Bool) throws {
        let settings = ResolvedSettings(codec: .h264, width: 1920, height: 1080).with {
            ($0.request.preset, $0.request.maxFrameDelayCount, $0.request.threadCount) = (preset, limit, 1)
        }
        let latency = X264Latency(preset: try X264Parameters(settings, processorCount: 8).raw)
        #expect((latency.bFrames, latency.usesTrellis) == (bFrames, usesTrellis), "\(latency)")
    }

    @Test("a trellis that the frame delay does not allow is listed", arguments: ["slower", "veryslow", "placebo"])
    func listed(preset: String) throws {
        func isListed(_ limit: Int) throws -> Bool {
            try encoder(preset, limit).adjustments.contains { $0.setting == .preset && $0.used.contains("b-adapt 1") }
        }
        #expect(try isListed(4))
        #expect(try !isListed(0))
        #expect(try !isListed(40))
    }
}
