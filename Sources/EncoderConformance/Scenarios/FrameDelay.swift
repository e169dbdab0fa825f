// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

extension Scenario {
    static let frameDelay = Scenario(
        "frame-delay", "With a limit of M frames inside, frame N - M is out when encode of frame N returns.",
        settings: [.maxFrameDelayCount], effects: [.maxFrameDelayCount]
    ) { context, findings in
        for effort in context.efforts {
            for limit in [0, 1, 4] {
                var configuration = context.configuration(effort)
                configuration.maxFrameDelayCount = limit
                let most = Mutex(0)
                let label = "limit \(limit), \(effort) effort"
                try await context.open(configuration)
                if let delay = context.watch.opened.last?.maximumDelay, delay > limit {
                    // One finding says it; what is still inside would only say it again.
                    findings.note("an encoder that holds at most \(limit) pictures (\(label))", seen: "\(delay)")
                    continue
                }
                let run = try await withTimeLimit(
                    context.patience, "encoding with \(label)", progress: context.watch.progress
                ) {
                    [configuration] in
                    try await context.run(
                        configuration, GivenFrame.series(30),
                        after: { _, session in
                            let inside = session.pendingFrameCount
                            most.withLock { $0 = max($0, inside) }
                        })
                }
                let inside = most.withLock { $0 }
                findings.expect(inside <= limit, "at most \(limit) frames inside (\(label))", seen: "\(inside)")
                findings.add(run.check(findings.scenario), in: label)
            }
        }
    }

    static let completeMidStream = Scenario(
        "complete-mid-stream", "complete() brings out everything given so far, and the session goes on."
    ) { context, findings in
        for effort in context.efforts {
            let pending = Mutex<[Int]>([])
            let run = try await context.run(
                context.configuration(effort), GivenFrame.series(36),
                before: { index, session in
                    guard index == 12 || index == 24 else { return }
                    try await session.complete(through: index == 24 ? MediaTime(value: 23, timescale: 30) : nil)
                    let inside = session.pendingFrameCount
                    pending.withLock { $0.append(inside) }
                })
            let inside = pending.withLock { $0 }
            findings.expect(inside == [0, 0], "no frames inside after complete (\(effort) effort)", seen: "\(inside)")
            findings.add(run.check(findings.scenario), in: "\(effort) effort")
        }
    }
}
