// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import TestSupport
import Testing
import X265Backend

@Suite struct X265TrialTests {
    /// What leading pictures need where the least interval between key frames is not the largest.
    private static let noSceneCuts = [NativeOption("scenecut", "0")]

    @Test(
        "an option that libx265 does not open with is refused when the session is made, with what it contradicts",
        arguments: [
            NativeOptionRow("radl=2", "RealTime true") {
                ($0.realTime, $0.preset, $0.nativeOptions) = (true, "medium", noSceneCuts)
            },
            NativeOptionRow("radl=2", "MaxFrameDelayCount 0 frames") {
                ($0.maxFrameDelayCount, $0.nativeOptions) = (0, noSceneCuts)
            },
            NativeOptionRow("radl=2", "MaxFrameDelayCount 2 frames") {
                ($0.maxFrameDelayCount, $0.nativeOptions) = (2, noSceneCuts)
            },
            NativeOptionRow("radl=2", "MaxFrameDelayCount 5 frames") {
                ($0.maxFrameDelayCount, $0.nativeOptions) = (5, noSceneCuts)
            },
            NativeOptionRow("bframes=2", "MaxFrameDelayCount 0 frames") { $0.maxFrameDelayCount = 0 },
            NativeOptionRow("bframes=2", "MaxFrameDelayCount 5 frames") { $0.maxFrameDelayCount = 5 },
            NativeOptionRow("rc-lookahead=30", "MaxFrameDelayCount 0 frames") { $0.maxFrameDelayCount = 0 },
            NativeOptionRow("frame-threads=4", "MaxFrameDelayCount 0 frames") {
                ($0.maxFrameDelayCount, $0.threadCount) = (0, nil)
            },
            NativeOptionRow("slices=2", "MaxFrameDelayCount 0 frames") {
                ($0.maxFrameDelayCount, $0.threadCount) = (0, nil)
            },
            NativeOptionRow("radl=2", "native option \"bframes\" with \"0\"") {
                $0.nativeOptions = noSceneCuts + [NativeOption("bframes", "0")]
            },
        ])
    func contradictions(row: NativeOptionRow) throws {
        let option = try #require(row.configuration(.hevc).nativeOptions.last)
        let error = try #require(row.refusal(by: X265Backend(), .hevc))
        #expect(error.code == .conflictingSettings && error.setting == .nativeOptions)
        let says = "\"\(option.name)\" with \(option.quotedValue) contradicts \(row.says)"
        #expect(error.reason.contains(says), "\(error.reason)")
    }

    @Test(
        "a number out of range is refused with the option alone and the range",
        arguments: [
            NativeOptionRow("ref=16", "a number in 1...6") { $0.profileLevel.level = 20 },
            NativeOptionRow("rd=77", "a number in 1...6"), NativeOptionRow("ref=99", "a number in 1...6"),
            NativeOptionRow("bframes=99", "a number in 0...16"), NativeOptionRow("subme=9", "a number in 0...7"),
            NativeOptionRow("max-merge=0", "a number in 1...5"), NativeOptionRow("ctu=48", "16 or 32 or 64"),
            NativeOptionRow("chromaloc=99", "a number in 0...5"), NativeOptionRow("qcomp=0.2", "a number in 0.5...1"),
            NativeOptionRow("cbqpoffs=-40", "a number in -12...12"),
            NativeOptionRow("psy-rd=9.5", "a number in 0...5"), NativeOptionRow("rdoq-level=5", "a number in 0...2"),
        ])
    func ranges(row: NativeOptionRow) throws {
        let option = try #require(row.configuration(.hevc).nativeOptions.last)
        let error = try #require(row.refusal(by: X265Backend(), .hevc))
        #expect(error.code == .invalidValue && error.setting == .nativeOptions)
        #expect(
            error.reason
                == "native option \"\(option.name)\" cannot have the value \(option.quotedValue), expected \(row.says)")
    }
}
