// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderBench

@Suite struct KeyFrameLimitTests {
    private static func limit(
        _ encoder: String, _ settings: [String: String] = [:], native: [String] = [], framesPerSecond: Double? = 25
    ) -> Int? {
        let work = PointWork(
            clipDigest: "0", frameLimit: nil, encoder: encoder, codec: "h264", width: 64, height: 48,
            pixelFormat: "i420", settings: settings, nativeOptions: native, forcedKeyFrames: [], measuredBy: [:])
        return KeyFrameLimit(of: work, framesPerSecond: framesPerSecond).frames
    }

    @Test("the least of what settings and options of the library say counts, or else what the encoder does unasked")
    func sources() {
        #expect(Self.limit("x264") == 250 && Self.limit("x265") == 250 && Self.limit("openh264") == nil)
        #expect(Self.limit("x264", ["MaxKeyFrameInterval": "600"]) == 600)
        #expect(Self.limit("x264", ["MaxKeyFrameIntervalDuration": "1.5"]) == 38)
        #expect(Self.limit("x264", ["MaxKeyFrameIntervalDuration": "1.5"], framesPerSecond: nil) == 250)
        #expect(Self.limit("x264", ["MaxKeyFrameInterval": "30", "MaxKeyFrameIntervalDuration": "2"]) == 30)
        #expect(Self.limit("x265", native: ["keyint=48"]) == 48)
        #expect(Self.limit("x264", native: ["keyint=infinite"]) == nil)
        #expect(Self.limit("x265", native: ["keyint=-1"]) == nil)
    }

    @Test("the share of key frames by the limit is what a long film with random cuts has", arguments: [50, 250, 1000])
    func share(distance: Int) {
        var random = SeededGenerator()
        var (last, reached) = (0, 0)
        let frames = 400_000
        for number in 1..<frames {
            if Int.random(in: 0..<distance, using: &random) == 0 {
                last = number
            } else if number - last >= 250 {
                (last, reached) = (number, reached + 1)
            }
        }
        let share = KeyFrameLimit(frames: 250).share(cuts: 1 / Double(distance))
        let found = Double(reached) / Double(frames)
        #expect(abs(share - found) < 0.1 * found + 0.00005, "\(share), not \(found)")
        #expect(KeyFrameLimit(frames: 250).share(cuts: 0) == 0.004)
        #expect(KeyFrameLimit(frames: nil).share(cuts: 0.01) == 0)
    }
}
