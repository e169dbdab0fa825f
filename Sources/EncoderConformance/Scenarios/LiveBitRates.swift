// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

extension Scenario {
    static let liveBitRate = Scenario(
        "live-bit-rate",
        "A bit rate changed mid-stream changes the size of frames; the outcome tells whether a key frame starts it.",
        settings: [.averageBitRate]
    ) { context, findings in
        // With the least effort, `late-bit-rates` asks for many updates without limits.
        let hasLimits = context.has(.dataRateLimits) && context.circumstance == .first
        for effort in hasLimits ? [.usual] : context.efforts {
            let updates = RateUpdates(context, effort, label: "\(effort) effort")
            try await check(updates, context, &findings)
        }
        guard hasLimits else { return }
        var limited = RateUpdates(context, label: "with limits")
        limited.hasLimits = true
        try await check(limited, context, &findings)
    }

    static let bitRateCeiling = Scenario(
        "bit-rate-ceiling", "Below a bit-rate ceiling, live changes keep the parameter sets.",
        settings: [.averageBitRate, .bitRateCeiling], effects: [.bitRateCeiling]
    ) { context, findings in
        var updates = RateUpdates(context, label: "ceiling")
        updates.keepsSets = true
        // So high that the level follows from it rather than from the size of the pictures.
        updates.configuration.bitRateCeiling = 8_000_000
        try await check(updates, context, &findings)
        var formats: [FormatDescription?] = []
        for rate in [8_000_000, 100_000] {
            updates.configuration.live.averageBitRate = rate
            let run = try await context.run(updates.configuration, GivenFrame.series(3))
            formats.append(run.frames.first?.accessUnit?.format)
        }
        findings.expect(
            formats[0] == formats[1], "the same parameter sets whatever bit rate a session starts with",
            seen: formats.map(\.hexadecimalSets).joined(separator: " and "))
    }

    static let liveRateControl = Scenario(
        "live-rate-control",
        "A stream that changes from a constant quantizer to a bit rate keeps that, and back, twice.",
        settings: [.averageBitRate, .constantQuantizer]
    ) { context, findings in
        let (fine, coarse, middle, average) = (16, 40, 34, context.small(150_000))
        let (toAverage, toCoarse) = (30, 30 + RateUpdates.phase)
        let (toAverageAgain, toMiddle) = (toCoarse + 20, toCoarse + 80)
        let count = toMiddle + 20
        let changes: [Int: RateControl] = [
            toAverage: .averageBitRate(average), toCoarse: .constantQuantizer(coarse),
            toAverageAgain: .averageBitRate(average), toMiddle: .constantQuantizer(middle),
        ]
        var configuration = context.smallConfiguration()
        configuration.live.rateControl = .constantQuantizer(fine)
        let run = try await context.run(
            configuration, GivenFrame.series(count), content: .busy,
            before: { index, session in
                if let control = changes[index] { try await session.update { $0.rateControl = control } }
            })
        findings.add(run.check(findings.scenario), in: "four changes of method")
        let first = run.byteCount(0..<toAverage)
        let settled = RateUpdates.settled
        let kept = run.byteCount(toAverage + settled.lowerBound..<toAverage + settled.upperBound) / 2
        findings.expect(
            kept * 8 < average * 3 / 2 && kept * 8 > average / 2 || run.adjusts(.averageBitRate),
            "about \(average / 8) bytes per second after quantizer \(fine), which took \(first)", seen: "\(kept)")
        for (range, quantizer) in [(toCoarse..<toAverageAgain, coarse), (toMiddle..<count, middle)] {
            let seen = try run.slices(of: range).filter { $0.kind == .p }.map(\.quantizer)
            findings.expect(
                seen.allSatisfy { $0 == quantizer }, "P slices of quantizer \(quantizer) after a bit rate",
                seen: "\(Set(seen).sorted())")
        }
        let again = run.byteCount(toMiddle - 20..<toMiddle) * 8 * 3 / 2
        findings.expect(
            again < average * 2 && again > average / 2 || run.adjusts(.averageBitRate),
            "about \(average) bit/s again after quantizer \(coarse)", seen: "\(again)")
    }

    /// A stream whose bit rate falls to a quarter after 200 frames and rises again after 400.
    private struct RateUpdates: Sendable {
        var configuration: SessionConfiguration
        let label: String
        let high: Int
        let low: Int
        /// Whether data-rate limits of twice the average go with it.
        var hasLimits = false
        /// Whether the parameter sets must stay.
        var keepsSets = false

        /// Frames of each rate; rate control needs the time of its buffer to get there.
        static let phase = 200
        /// Two seconds of a phase: settled, and before the frames that are inside the lookahead at the next change.
        static let settled = 80..<140
        /// All frames: of the last rate no more than what is looked at.
        static let count = 2 * phase + settled.upperBound

        init(_ context: ScenarioContext, _ effort: ScenarioContext.Effort = .least, label: String) {
            configuration = context.smallConfiguration(effort)
            self.label = label
            (high, low) = (context.small(600_000), context.small(150_000))
        }

        func settings(_ rate: Int, from live: LiveSettings) -> LiveSettings {
            var live = live
            live.averageBitRate = rate
            if hasLimits { live.dataRateLimits = [DataRateLimit(bytes: rate / 4, seconds: 1)] }
            return live
        }
    }

    private static func check(
        _ updates: RateUpdates, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        let label = updates.label
        var configuration = updates.configuration
        configuration.live = updates.settings(updates.high, from: configuration.live)
        let outcomes = Mutex<[UpdateOutcome]>([])
        let run = try await context.run(
            configuration, GivenFrame.series(RateUpdates.count), content: .busy,
            before: { index, session in
                guard index > 0, index.isMultiple(of: RateUpdates.phase) else { return }
                let rate = index == RateUpdates.phase ? updates.low : updates.high
                let outcome = try await session.update { $0 = updates.settings(rate, from: $0) }
                outcomes.withLock { $0.append(outcome) }
            })
        findings.add(run.check(findings.scenario), in: label)
        let ends = (0..<3).map { phase in
            let start = phase * RateUpdates.phase
            return run.byteCount(start + RateUpdates.settled.lowerBound..<start + RateUpdates.settled.upperBound) / 2
        }
        let (before, between, after) = (ends[0], ends[1], ends[2])
        findings.expect(
            between * 2 < before, "less than half of \(before) bytes per second at a quarter of the rate (\(label))",
            seen: "\(between) bytes")
        findings.expect(
            after > between * 2, "more than twice \(between) bytes per second at four times the rate (\(label))",
            seen: "\(after) bytes")
        for (count, outcome) in outcomes.withLock({ $0 }).enumerated() {
            let index = (count + 1) * RateUpdates.phase
            let place = "the update before frame \(index) (\(label))"
            check(outcome, at: index, place, run, &findings)
        }
        guard updates.keepsSets, let format = run.frames.first?.accessUnit?.format else { return }
        let changed = run.frames.filter { $0.accessUnit.map { $0.format != format } ?? false }
        findings.expect(
            changed.isEmpty, "the same parameter sets throughout (\(label))", seen: "others in \(changed.count) frames")
    }

    /// What an update said it did is what the stream shows.
    private static func check(
        _ outcome: UpdateOutcome, at index: Int, _ place: String, _ run: SessionRun, _ findings: inout Findings
    ) {
        switch outcome {
        case .applied:
            let soon = index..<index + 20
            let starts = run.syncIndices.filter(soon.contains)
            findings.expect(
                starts.isEmpty, "no key frame in frames \(soon), since \(place) was applied", seen: "\(starts)")
            let formats = [index - 1, index].map { run.frame($0)?.accessUnit?.format }
            findings.expect(
                formats[0] == formats[1], "the same parameter sets as before \(place), which was applied",
                seen: formats.map(\.hexadecimalSets).joined(separator: ", then "))
        case .restarted:
            let isSync = run.frame(index)?.accessUnit?.isSync == true
            findings.expect(isSync, "a key frame after \(place), which restarted", seen: "none")
        case .unchanged:
            findings.note("a change at \(place)", seen: "\(outcome)")
        }
    }
}

extension FormatDescription? {
    /// The parameter sets, to be compared by eye.
    fileprivate var hexadecimalSets: String {
        guard let self else { return "none" }
        let digits = Array("0123456789abcdef")
        return self.parameterSets.map { set in
            String(set.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }.joined(separator: " ")
    }
}
