// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let closedGOP = Scenario(
        "closed-gop", "Decoding from any sync frame shows the same pictures as decoding from the start.",
        settings: [.maxKeyFrameInterval], needsDecoder: true
    ) { context, findings in
        var configuration = context.configuration(.usual)
        configuration.live.maxKeyFrameInterval = 12
        let run = try await context.run(configuration, GivenFrame.series(40))
        findings.add(run.check(findings.scenario), in: "")
        let whole = try await context.decode(run.frames)
        for start in run.frames.indices where run.frames[start].accessUnit?.isSync == true {
            let part = try await context.decode(Array(run.frames[start...]))
            findings.expect(
                part.count == run.frames.count - start, "\(run.frames.count - start) pictures from frame \(start) on",
                seen: "\(part.count)")
            let differs = zip(part.reversed(), whole.reversed()).contains { !$0.hasSameLuma(as: $1) }
            findings.expect(!differs, "the same pictures when decoding starts at frame \(start)", seen: "others")
        }
    }

    static let openGOP = Scenario(
        "open-gop", "With open GOP, random-access points that leading pictures depend across are partial syncs.",
        settings: [.allowOpenGOP, .maxKeyFrameInterval], effects: [.allowOpenGOP]
    ) { context, findings in
        var configuration = context.configuration(.usual)
        configuration.allowOpenGOP = true
        configuration.live.maxKeyFrameInterval = 12
        let run = try await context.run(configuration, GivenFrame.series(40))
        findings.add(run.check(findings.scenario), in: "")
        let starts = run.displayed.indices.filter { index in
            run.displayed[index].accessUnit.map { $0.isSync || $0.isPartialSync } ?? false
        }
        let longest = run.intervals(starts).max() ?? 0
        findings.expect(longest <= 12, "a random-access point every 12 frames", seen: "at \(starts)")
        let isOpen = run.frames.contains { $0.accessUnit?.isPartialSync == true }
        findings.expect(
            isOpen || run.adjusts(.allowOpenGOP), "a partial sync among the random-access points",
            seen: "none, without an adjustment")
        configuration.allowOpenGOP = false
        let closed = try await context.run(configuration, GivenFrame.series(40))
        findings.add(closed.check(findings.scenario), in: "closed GOP")
        configuration.allowOpenGOP = true
        try await checkForcedKeyFrame(context, configuration, &findings)
    }

    /// HEVC refuses a forced key frame, which would not be an IDR; H.264 makes one.
    private static func checkForcedKeyFrame(
        _ context: ScenarioContext, _ configuration: SessionConfiguration, _ findings: inout Findings
    ) async throws {
        guard context.has(.forceKeyFrame) else { return }
        do {
            let run = try await context.run(configuration, GivenFrame.series(20, forced: [7]))
            findings.expect(context.codec == .h264, "a forced key frame with open GOP to be refused", seen: "no error")
            findings.expect(
                run.frame(7)?.accessUnit?.isSync == true, "forced frame 7 to be sync", seen: "\(run.syncIndices)")
        } catch let error as EncoderError where error.code == .conflictingSettings {
            findings.expect(context.codec == .hevc, "a forced key frame with open GOP", seen: "\(error)")
        }
    }

    static let noReordering = Scenario(
        "no-reordering", "Without frame reordering, frames come in display order and none is a B picture.",
        settings: [.allowFrameReordering], effects: [.allowFrameReordering]
    ) { context, findings in
        var configuration = context.configuration(.usual)
        configuration.allowFrameReordering = false
        let run = try await context.run(configuration, GivenFrame.series(30))
        findings.add(run.check(findings.scenario), in: "")
        let types = run.frames.compactMap { $0.accessUnit?.pictureType }
        findings.expect(!types.contains(.b), "no B pictures", seen: types.map(\.rawValue).joined())
        for frame in run.frames where frame.decodeTime != frame.presentationTime {
            findings.note("decode time \(frame.presentationTime)", seen: "\(frame.decodeTime)")
        }
    }

    static let reordering = Scenario(
        "reordering", "Where reordering is asked for there are B pictures, or the session says that there are none.",
        settings: [.allowFrameReordering], effects: [.allowFrameReordering]
    ) { context, findings in
        var configuration = context.configuration(.usual)
        configuration.allowFrameReordering = true
        let run = try await context.run(configuration, GivenFrame.series(30))
        findings.add(run.check(findings.scenario), in: "")
        let hasB = run.frames.contains { $0.accessUnit?.pictureType == .b }
        let isReordered = run.frames.map(\.presentationTime) != run.displayed.map(\.presentationTime)
        findings.expect(
            hasB || isReordered || run.adjusts(.allowFrameReordering), "B pictures",
            seen: "none, without an adjustment")
    }

    static let consecutiveIDRs = Scenario(
        "consecutive-idr-ids",
        "Of two IDR pictures one after the other each has its own idr_pic_id, also when another encoder made the first.",
        settings: [.forceKeyFrame]
    ) { context, findings in
        guard context.codec == .h264 else { throw NotApplicable("HEVC has no idr_pic_id") }
        for effort in context.efforts {
            let run = try await context.run(
                context.configuration(effort), GivenFrame.series(14, forced: [1, 2, 3, 4, 5, 9]),
                before: { index, session in
                    switch index {
                    // An encoder that holds something is drained, and another one opened.
                    case 1, 2, 4, 8, 10: try await session.complete()
                    case 6 where context.has(.averageBitRate), 7 where context.has(.averageBitRate):
                        try await session.update { $0.averageBitRate = index == 6 ? 200_000 : nil }
                    default: break
                    }
                })
            findings.add(run.check(findings.scenario), in: "\(effort) effort")
            findings.expect(
                Set(run.syncIndices).isSuperset(of: [0, 1, 2, 3, 4, 5, 9]), "key frames where they were forced",
                seen: "\(run.syncIndices) (\(effort) effort)")
        }
    }
}
