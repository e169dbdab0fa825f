// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let forcedKeyFrames = Scenario(
        "forced-key-frames",
        "A forced key frame is an IDR with parameter sets, on exactly the frame asked for, also right after another.",
        settings: [.forceKeyFrame], effects: [.forceKeyFrame]
    ) { context, findings in
        // 10, 11 and 12 are closer together than any minimum interval, and inside the lookahead of each other; 90 comes
        // long after an encoder was opened.
        let forced: Set<Int> = [10, 11, 12, 25, 90]
        for effort in context.efforts {
            var configuration = context.configuration(effort)
            configuration.parameterSets = .everySyncFrame
            let run = try await context.run(configuration, GivenFrame.series(100, forced: forced))
            let expected = forced.union([0]).sorted()
            findings.add(run.check(findings.scenario), in: "\(effort) effort")
            findings.expect(
                run.syncIndices == expected, "sync frames \(expected) with \(effort) effort", seen: "\(run.syncIndices)"
            )
            for index in expected {
                checkIsStart(run.frame(index), index, codec: context.codec, &findings)
            }
        }
    }

    /// An IDR, and nothing else, behind a whole collection of parameter sets.
    private static func checkIsStart(
        _ frame: EncodedFrame?, _ index: Int, codec: VideoCodec, _ findings: inout Findings
    ) {
        let units = frame?.accessUnit?.streamUnits(codec) ?? []
        let slices = units.filter(\.isSlice)
        findings.expect(
            !slices.isEmpty && slices.allSatisfy { $0.kind == .idr }, "IDR slices in frame \(index)",
            seen: "\(units.map(\.name))")
        let sets = StreamUnit.requiredSets(codec)
        findings.expect(
            sets.allSatisfy { set in units.contains { $0.kind == .parameterSet(set.type) } },
            "\(sets.map(\.name)) in frame \(index)", seen: "\(units.map(\.name))")
    }
}
