// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let averageBitRate = Scenario(
        "average-bit-rate", "Ten seconds of hard pictures come within 15 % of the average bit rate.",
        settings: [.averageBitRate]
    ) { context, findings in
        let target = 300_000
        var configuration = context.configuration()
        configuration.live.averageBitRate = target
        let run = try await context.run(configuration, GivenFrame.series(300), content: .busy)
        findings.add(run.check(findings.scenario), in: "")
        let rate = Double(run.byteCount(0..<300) * 8) / 10
        findings.expect(
            abs(rate / Double(target) - 1) < 0.15, "\(target) bit/s within 15 %", seen: "\(Int(rate)) bit/s")
    }

    static let dataRateLimits = Scenario(
        "data-rate-limits",
        "No window of decode times carries more bytes than a limit allows, also across a live change.",
        settings: [.dataRateLimits, .averageBitRate]
    ) { context, findings in
        let cases: [(limits: [DataRateLimit], updates: Bool)] = [
            ([DataRateLimit(bytes: 40_000, seconds: 1)], false), ([DataRateLimit(bytes: 40_000, seconds: 1)], true),
            ([DataRateLimit(bytes: 30_000, seconds: 0.5), DataRateLimit(bytes: 90_000, seconds: 2)], false),
        ]
        for (limits, updates) in cases {
            var configuration = context.configuration()
            configuration.live.averageBitRate = 250_000
            configuration.live.dataRateLimits = limits
            configuration.live.expectedFrameRate = 30
            let label = "\(limits)\(updates ? ", changed at frame 60" : "")"
            let run = try await context.run(
                configuration, GivenFrame.series(120, forced: [40, 80]), content: .busy,
                before: { index, session in
                    if updates, index == 60 { try await session.update { $0.averageBitRate = 280_000 } }
                })
            findings.add(run.check(findings.scenario), in: label)
            for limit in limits {
                let worst = worstWindow(run.frames, seconds: limit.seconds)
                findings.expect(worst <= limit.bytes, "at most \(limit) (\(label))", seen: "\(worst) bytes")
            }
            let total = run.byteCount(0..<120)
            findings.expect(
                Double(total * 8) / 4 > 80_000, "a stream that uses a third of what it may (\(label))",
                seen: "\(total) bytes in 4 s")
        }
    }

    /// Most bytes whose decode times fit a window that is open at its end.
    static func worstWindow(_ frames: [EncodedFrame], seconds: Double) -> Int {
        let length = MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
        var (worst, sum, start) = (0, 0, 0)
        for frame in frames {
            sum += frame.accessUnit?.data.count ?? 0
            while frame.decodeTime - frames[start].decodeTime >= length {
                sum -= frames[start].accessUnit?.data.count ?? 0
                start += 1
            }
            worst = max(worst, sum)
        }
        return worst
    }
}
