// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

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

    static let liveBitRate = Scenario(
        "live-bit-rate",
        "A bit rate changed mid-stream changes the size of frames; the outcome tells whether a key frame starts it.",
        settings: [.averageBitRate]
    ) { context, findings in
        for effort in ScenarioContext.Effort.allCases {
            var configuration = context.configuration(effort)
            configuration.live.averageBitRate = 600_000
            try await checkUpdates(configuration, context, keepsSets: false, "\(effort) effort", &findings)
        }
    }

    static let bitRateCeiling = Scenario(
        "bit-rate-ceiling", "Below a bit-rate ceiling, live changes keep the parameter sets.",
        settings: [.averageBitRate, .bitRateCeiling]
    ) { context, findings in
        var configuration = context.configuration()
        configuration.live.averageBitRate = 600_000
        // So high that the level follows from it rather than from the size of the pictures.
        configuration.bitRateCeiling = 8_000_000
        try await checkUpdates(configuration, context, keepsSets: true, "ceiling", &findings)
        configuration.live.averageBitRate = 8_000_000
        let high = try await context.run(configuration, GivenFrame.series(3))
        configuration.live.averageBitRate = 100_000
        let low = try await context.run(configuration, GivenFrame.series(3))
        findings.expect(
            high.frames.first?.accessUnit?.format == low.frames.first?.accessUnit?.format,
            "the same parameter sets whatever bit rate a session starts with", seen: "others")
    }

    /// Down to a quarter at frame 45, up again at frame 90; the first frames after a change may still be the old size.
    private static func checkUpdates(
        _ configuration: SessionConfiguration, _ context: ScenarioContext, keepsSets: Bool, _ label: String,
        _ findings: inout Findings
    ) async throws {
        let outcomes = Mutex<[UpdateOutcome]>([])
        let run = try await context.run(
            configuration, GivenFrame.series(135), content: .busy,
            before: { index, session in
                guard index == 45 || index == 90 else { return }
                let outcome = try await session.update { $0.averageBitRate = index == 45 ? 150_000 : 600_000 }
                outcomes.withLock { $0.append(outcome) }
            })
        findings.add(run.check(findings.scenario), in: label)
        let (before, between, after) = (run.byteCount(15..<45), run.byteCount(60..<90), run.byteCount(105..<135))
        findings.expect(
            between * 2 < before, "less than half of \(before) bytes per second at a quarter of the rate (\(label))",
            seen: "\(between) bytes")
        findings.expect(
            after > between * 2, "more than twice \(between) bytes per second at four times the rate (\(label))",
            seen: "\(after) bytes")
        for (index, outcome) in zip([45, 90], outcomes.withLock { $0 }) {
            checkOutcome(outcome, at: index, run, context, label, &findings)
        }
        guard keepsSets, let format = run.frames.first?.accessUnit?.format else { return }
        let changed = run.frames.filter { $0.accessUnit.map { $0.format != format } ?? false }
        findings.expect(
            changed.isEmpty, "the same parameter sets throughout (\(label))", seen: "others in \(changed.count) frames")
    }

    private static func checkOutcome(
        _ outcome: UpdateOutcome, at index: Int, _ run: SessionRun, _ context: ScenarioContext, _ label: String,
        _ findings: inout Findings
    ) {
        let place = "the update before frame \(index) (\(label))"
        let isSync = run.frame(index)?.accessUnit?.isSync == true
        switch outcome {
        case .applied:
            let starts = run.syncIndices.filter { (index..<index + 20).contains($0) }
            findings.expect(starts.isEmpty, "no key frame after \(place), which was applied", seen: "\(starts)")
            let same = run.frame(index)?.accessUnit?.format == run.frame(index - 1)?.accessUnit?.format
            findings.expect(same, "the same parameter sets after \(place), which was applied", seen: "others")
        case .restarted:
            findings.expect(isSync, "a key frame after \(place), which restarted", seen: "none")
        case .unchanged:
            findings.note("a change at \(place)", seen: "\(outcome)")
        }
        if context.capabilities.changesBitRateLive {
            findings.expect(
                outcome == .applied, "\(place) to be applied, as the capabilities say", seen: "\(outcome)")
        }
    }
}
