// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let liveKeyFrameInterval = Scenario(
        "live-key-frame-interval",
        "Key-frame intervals change mid-stream: one in frames or seconds that grows shorter holds from the next frame on, "
            + "and one that grows longer lets key frames lie further apart than before, the second time as the first.",
        settings: [.maxKeyFrameInterval, .maxKeyFrameIntervalDuration]
    ) { context, findings in
        for effort in context.efforts {
            var configuration = context.configuration(effort)
            configuration.live.maxKeyFrameInterval = 30
            let run = try await context.run(
                configuration, GivenFrame.series(given),
                before: { index, session in
                    guard let change = changes[index] else { return }
                    try await session.update { live in
                        live.maxKeyFrameInterval = change.frames
                        live.maxKeyFrameIntervalDuration = change.seconds
                    }
                })
            findings.add(run.check(findings.scenario), in: "\(effort) effort")
            let syncs = run.syncIndices
            let late = [40..<60, 100..<115].joined().filter { frame in !syncs.contains { $0 <= frame && frame - $0 < 5 }
            }
            findings.expect(
                late.isEmpty, "no frame 5 or more after a sync frame since an interval of 5 (\(effort) effort)",
                seen: "frames \(late), sync frames \(syncs)")
            for (start, interval, least) in [(60, 35, 30), (115, 60, 40)] {
                // The last key frame of the shorter interval may come right before the change.
                let distances = zip(syncs, syncs.dropFirst() + [given]).filter {
                    $0 >= start - 5 && $1 <= start + interval
                }
                .map { $1 - $0 }
                findings.expect(
                    distances.contains { $0 > least },
                    "sync frames more than \(least) apart since an interval of \(interval) (\(effort) effort)",
                    seen: "\(syncs)")
            }
            let later = (185..<given).filter { frame in !syncs.contains { $0 <= frame && frame - $0 < 6 } }
            findings.expect(
                later.isEmpty, "no frame 0.2 s or more after a sync frame since an interval of that (\(effort) effort)",
                seen: "frames \(later), sync frames \(syncs)")
        }
    }

    /// How many frames are given.
    private static let given = 215

    /// The intervals from a frame on; frames come at 30 a second.
    private static let changes: [Int: (frames: Int, seconds: Double?)] = [
        40: (5, nil), 60: (35, nil), 100: (5, nil), 115: (60, nil), 185: (60, 0.2),
    ]
}
