// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let timestamps = Scenario(
        "timestamps",
        "Times come back exactly as given: mixed timescales, variable rate, offsets; decode times increase below them."
    ) { context, findings in
        for effort in context.efforts {
            for (label, given) in timestampCases {
                let run = try await context.run(context.configuration(effort), given)
                findings.add(run.check(findings.scenario), in: "\(label), \(effort) effort")
                findings.expect(
                    run.frames.count == given.count, "\(given.count) events for \(label)", seen: "\(run.frames.count)")
            }
        }
    }

    /// Rows of a label and frames.
    private static let timestampCases: [(String, [GivenFrame])] = [
        ("29.97 frames per second", times((0..<20).map { MediaTime(value: $0 * 1001, timescale: 30_000) })),
        ("an offset of an hour", GivenFrame.series(20, start: 108_000)),
        ("a start before zero", GivenFrame.series(20, start: -45)),
        ("no durations", GivenFrame.series(20).map { GivenFrame(time: $0.time) }),
        // Gaps of 1 to 2000 ms, as a screen recording has them.
        (
            "variable rate",
            times(
                [0, 1, 34, 67, 900, 933, 934, 1000, 3000, 3033, 3066, 3100, 3101, 3102, 3103, 5000].map {
                    MediaTime(value: $0, timescale: 1000)
                })
        ),
        ("mixed timescales", times((0..<20).map(mixedTime))),
        // The first timescale has one tick per frame, later frames come closer than that.
        (
            "frames closer than a tick",
            times((0..<20).map { MediaTime(value: $0 < 4 ? $0 * 100 : 300 + $0, timescale: $0 == 0 ? 30 : 3000) })
        ),
    ]

    private static func mixedTime(_ index: Int64) -> MediaTime {
        switch index % 3 {
        case 0: MediaTime(value: index, timescale: 25)
        case 1: MediaTime(value: index * 3600, timescale: 90_000)
        default: MediaTime(value: index * 40, timescale: 1000)
        }
    }

    private static func times(_ times: [MediaTime]) -> [GivenFrame] {
        times.indices.map { index in
            let next = index + 1 < times.count ? times[index + 1] - times[index] : nil
            return GivenFrame(time: times[index], duration: next)
        }
    }
}
