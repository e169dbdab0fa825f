// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

@Suite struct ConformanceSuiteTests {
    /// Each flaw with the scenarios that must find it.
    static let finders: [(ModelFlaw, [String])] = [
        (.losesLastFrame, ["flush", "every-frame-decodes", "complete-mid-stream"]),
        (.hangsWhenDrained, ["flush", "never-read", "complete-mid-stream"]),
        (.forcesOneFrameLate, ["forced-key-frames", "key-frame-interval-duration"]),
        (.forcesWithoutIDR, ["forced-key-frames", "key-frame-interval-duration"]),
        (.predictsAcrossSync, ["closed-gop", "forced-key-frames"]),
        (.callsSyncFramesPredicted, ["closed-gop", "flush"]),
        (.callsEveryFrameReference, ["flush"]),
        (.holdsTooMany, ["frame-delay"]),
        (.understatesItsDelay, ["flush", "complete-mid-stream"]),
        (.holdsWithPresets, ["real-time-delay"]),
        (.holdsToLearnDurations, ["real-time-delay"]),
        (.cutsSlices, ["real-time"]),
        (.writesVersion, ["flush"]),
        (.leavesStartCodes, ["flush", "timestamps"]),
        (.tellsOtherSets, ["flush"]),
        (.givesPicturesTwice, ["flush"]),
        (.listsTheSessionsSettings, ["capabilities"]),
        (.listsUntriedSettings, ["capabilities"]),
        (.startsAnewAfterSkips, ["rate-control-drops"]),
        (.writesSkippedFrames, ["rate-control-drops"]),
        (.losesSkippedFrames, ["rate-control-drops"]),
        (.changesSetsAnywhere, ["flush", "bit-rate-ceiling"]),
        (.darkensPictures, ["mean-luma", "sizes"]),
        (.repeatsPictures, ["every-frame-decodes"]),
        (.showsPadding, ["sizes"]),
        (.mistakesLayout, ["pixel-formats"]),
        (.keepsFirstSize, ["changed-pictures"]),
        (.keepsFirstColor, ["changed-color"]),
        (.missesAverage, ["average-bit-rate"]),
        (.exceedsLimits, ["data-rate-limits"]),
        (.startsAnewOnUpdates, ["live-bit-rate"]),
        (.changesSetsOnUpdates, ["bit-rate-ceiling"]),
        (.keepsPictures, ["dropped-session"]),
        (.sharesState, ["two-sessions"]),
        (.acceptsAnyQuantizer, ["bad-settings"]),
        (.refusesOptionsLate, ["native-options"]),
    ]

    static let rows = finders.flatMap { flaw, names in names.map { (flaw, $0) } }

    @Test("a flaw is found", arguments: Sample.of(rows) { ["\($0.0)", $0.1] })
    func sampledFlaw(_ flaw: ModelFlaw, name: String) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == name })
        // One that hangs is found however short the patience is.
        let patience = flaw == .hangsWhenDrained ? 0.2 : 1
        let result = try await suite(flaw, patience: patience, findingLimit: 1).run(scenario)
        #expect(!result.findings.isEmpty)
    }

    @Test("what an encoder did wrong counts in a scenario that then turns out not to apply")
    func seenWhereNotApplicable() async throws {
        // One that skips no frames, and tells other parameter sets than it writes.
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == "rate-control-drops" })
        guard case .notApplicable = try await suite(nil).run(scenario).outcome else {
            Issue.record("it applies")
            return
        }
        let findings = try await suite(.tellsOtherSets).run(scenario).findings
        #expect(findings.contains { $0.expected.contains("parameterSets") }, "\(findings)")
    }

    @Test("start codes that are left in are said once, first, and not in a thousand findings")
    func startCodes() async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == "flush" })
        let findings = try await suite(.leavesStartCodes).run(scenario).findings
        #expect(findings.first?.seen.contains("begin with a start code") == true)
        #expect(findings.count { $0.seen.contains("begin with a start code") } == 1)
        #expect(findings.count < 20)
    }

    @Test("a scenario that has found enough notes no more and opens no further session", arguments: [1, 3])
    func findingLimit(limit: Int) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == "forced-key-frames" })
        #expect(try await suite(.forcesOneFrameLate).run(scenario).findings.count > 3)
        let findings = try await suite(.forcesOneFrameLate, findingLimit: limit).run(scenario).findings
        #expect(findings.count == limit)
    }

    @Test("what a back end says goes to the logger that was given, once for each encoder it opens")
    func logger() async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == "levels" })
        let messages = MessageCount()
        let suite = try await ConformanceSuite(
            backend: ModelBackend(shelf: PictureShelf()), codec: .h264, logger: messages.logger)
        #expect(await suite.run(scenario).outcome == .passed)
        #expect(messages.value >= 2)
    }

    @Test("every flaw has a scenario that finds it")
    func everyFlaw() {
        #expect(Set(Self.finders.map(\.0)) == Set(ModelFlaw.allCases))
    }

    @Test("scenarios have names of their own")
    func names() {
        #expect(Set(ConformanceSuite.scenarios.map(\.name)).count == ConformanceSuite.scenarios.count)
    }

    @Test("a scenario that lacks what it needs says so and does not pass", arguments: ["sizes", "two-sessions"])
    func notApplicable(name: String) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == name })
        let suite = try await ConformanceSuite(backend: ModelBackend(shelf: PictureShelf()), codec: .h264)
        let result = await suite.run(scenario)
        guard case .notApplicable(let reason) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(reason.contains("given"))
    }

    private func suite(
        _ flaw: ModelFlaw?, patience: Double = 1, findingLimit: Int = .max
    ) async throws -> ConformanceSuite {
        let shelf = PictureShelf()
        return try await ConformanceSuite(
            backend: ModelBackend(flaw: flaw, shelf: shelf), codec: .h264, decoder: ModelDecoder(shelf: shelf),
            companion: ModelBackend(codecs: [.hevc], shelf: shelf), nativeOption: ModelBackend.nativeOption,
            patience: patience, findingLimit: findingLimit)
    }
}
