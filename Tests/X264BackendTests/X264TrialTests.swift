// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import TestSupport
import Testing
import X264Backend

@Suite struct X264TrialTests {
    @Test(
        "native options that hold more than the frame delay are refused with both names and both numbers",
        arguments: [
            (NativeOption("b-adapt", "2"), 8, "hold 13 frames, expected at most 8"),
            (NativeOption("bframes", "9"), 5, "hold 10 frames, expected at most 5"),
            (NativeOption("rc-lookahead", "30"), 0, "hold 30 frames, expected at most 0"),
            (NativeOption("threads", "8"), 0, "hold 7 frames, expected at most 0"),
        ])
    func refused(option: NativeOption, limit: Int, says: String) throws {
        var configuration = SessionConfiguration(codec: .h264, width: 640, height: 360)
        (configuration.preset, configuration.maxFrameDelayCount) = ("medium", limit)
        configuration.threadCount = option.name == "threads" ? nil : 1
        configuration.live.averageBitRate = 500_000
        configuration.nativeOptions = [NativeOption("aq-mode", "2"), option, NativeOption("me", "dia")]
        let error = try #require(throws: EncoderError.self) {
            try CompressionSession(configuration, encoder: X264Backend())
        }
        #expect(error.code == .conflictingSettings && error.setting == .nativeOptions)
        let names = "\"\(option.name)\" with \(option.quotedValue) contradicts MaxFrameDelayCount \(limit) frames"
        #expect(error.reason.contains(names) && error.reason.contains(says), "\(error.reason)")
    }

    @Test("an option that another takes back is no reason to refuse")
    func takenBack() throws {
        let settings = TestClip.textures(width: 64, height: 64, count: 1).settings.with {
            $0.request.maxFrameDelayCount = 2
            $0.request.nativeOptions = [NativeOption("b-adapt", "2"), NativeOption("bframes", "0")]
        }
        #expect(try X264Backend().openFirst(settings, logger: .silent).maximumDelay <= 2)
    }
}
