// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let liveKeyFrameInterval = Scenario(
        "live-key-frame-interval",
        "Key-frame intervals change mid-stream: one in frames or seconds that grows shorter holds from the next frame on, "
            + "and one that grows longer lets key frames lie further apart than before.",
        settings: [.maxKeyFrameInterval, .maxKeyFrameIntervalDuration]
    ) { context, findings in
        for effort in ScenarioContext.Effort.allCases {
            var configuration = context.configuration(effort)
            configuration.live.maxKeyFrameInterval = 30
            let run = try await context.run(
                configuration, GivenFrame.series(200),
                before: { index, session in
                    guard let change = changes[index] else { return }
                    try await session.update { live in
                        live.maxKeyFrameInterval = change.frames
                        live.maxKeyFrameIntervalDuration = change.seconds
                    }
                })
            findings.add(run.check(findings.scenario), in: "\(effort) effort")
            let syncs = run.syncIndices
            let late = (50..<90).filter { frame in !syncs.contains { $0 <= frame && frame - $0 < 5 } }
            findings.expect(
                late.isEmpty, "no frame 5 or more after a sync frame since an interval of 5 (\(effort) effort)",
                seen: "frames \(late), sync frames \(syncs)")
            let distances = zip(syncs, syncs.dropFirst()).filter { $0 >= 80 && $1 <= 150 }.map { $1 - $0 }
            findings.expect(
                distances.contains { $0 > 30 },
                "sync frames more than 30 apart since an interval of 60 (\(effort) effort)",
                seen: "\(syncs)")
            let later = (150..<200).filter { frame in !syncs.contains { $0 <= frame && frame - $0 < 6 } }
            findings.expect(
                later.isEmpty, "no frame 0.2 s or more after a sync frame since an interval of that (\(effort) effort)",
                seen: "frames \(later), sync frames \(syncs)")
        }
    }

    /// The intervals from a frame on; frames come at 30 a second.
    private static let changes: [Int: (frames: Int, seconds: Double?)] = [
        50: (5, nil), 90: (60, nil), 150: (60, 0.2),
    ]
}
