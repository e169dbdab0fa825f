// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let constantBitRate = Scenario(
        "constant-bit-rate",
        "Pictures that need nothing are filled up to a constant bit rate, hard ones pass it in no second by more than "
            + "15 %, or 25 % where a device codes both in turn, and a live change shows.",
        settings: [.constantBitRate], effects: [.constantBitRate]
    ) { context, findings in
        let contents: [[SyntheticVideo.Content]] = [[.flat, .busy], [.flat], [.busy]]
        for content in context.cases(contents, again: [contents[0]]) {
            try await checkConstant(content, context, &findings)
        }
        let rates = [250_000, 400_000, 600_000, 400_000, 250_000].map(context.small)
        var configuration = context.smallConfiguration()
        configuration.live.constantBitRate = rates[0]
        let run = try await context.run(
            configuration, GivenFrame.series(rates.count * 90), content: .busy,
            before: { index, session in
                guard index > 0, index.isMultiple(of: 90) else { return }
                try await session.update { $0.constantBitRate = rates[index / 90] }
            })
        findings.add(run.check(findings.scenario), in: "five rates")
        let steps = rates.indices.map { run.byteCount($0 * 90..<($0 + 1) * 90) }
        for (place, (before, after)) in zip(steps, steps.dropFirst()).enumerated() {
            let ratio = Double(max(before, after)) / Double(max(min(before, after), 1))
            let isUp = rates[place + 1] > rates[place]
            findings.expect(
                ratio >= 1.15 && isUp == (after > before),
                "three seconds at \(rates[place + 1]) bit/s at least 1.15 times apart from those at \(rates[place])",
                seen: "\(after) bytes after \(before)")
        }
    }

    /// A steady rate with contents that take turns of one and a half seconds.
    private static func checkConstant(
        _ contents: [SyntheticVideo.Content], _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        let rate = context.small(400_000)
        var configuration = context.smallConfiguration()
        configuration.live.constantBitRate = rate
        let videos = contents.map { ScenarioContext.video(for: configuration, $0) }
        let run = try await context.run(
            configuration, GivenFrame.series(180),
            picture: { index throws(EncoderError) in try videos[index / 45 % videos.count].picture(at: index) })
        let label = contents.map { "\($0)" }.joined(separator: " and ") + " pictures"
        findings.add(run.check(findings.scenario), in: label)
        findings.expect(
            abs(Double(run.totalBytes * 8) / 6 / Double(rate) - 1) < 0.05, "\(rate) bit/s within 5 % (\(label))",
            seen: "\(run.totalBytes * 8 / 6) bit/s")
        let worst = worstWindow(run.frames, seconds: 1) * 8
        // Rate control of a device, without a second try, may pass its buffer where flat pictures end.
        let most = contents.count > 1 && context.encoder.isHardwareAccelerated ? 1.25 : 1.15
        findings.expect(
            Double(worst) <= Double(rate) * most, "no second with more than \(most) times \(rate) bits (\(label))",
            seen: "\(worst) bits")
    }

    static let variableBitRate = Scenario(
        "variable-bit-rate",
        "A variable bit rate keeps its mean, and its peak within its buffer; a first picture has no more than the "
            + "initial delay allows; a peak or buffer that changes live is kept too, and a longer buffer used where a "
            + "higher peak was, but for devices.",
        settings: [.variableBitRate, .vbvMaxBitRate, .vbvBufferDuration, .vbvInitialDelayPercentage],
        effects: [.variableBitRate, .vbvMaxBitRate, .vbvBufferDuration, .vbvInitialDelayPercentage]
    ) { context, findings in
        try await checkMean(context, &findings)
        try await checkPeak(context, &findings)
        // A device may pass its buffer by more than tells one peak from another.
        if !context.encoder.isHardwareAccelerated { try await checkLivePeak(context, &findings) }
        try await checkStart(context, &findings)
    }

    private static func checkMean(_ context: ScenarioContext, _ findings: inout Findings) async throws {
        let rate = context.small(300_000)
        var configuration = context.smallConfiguration()
        configuration.live.variableBitRate = rate
        let run = try await context.run(configuration, GivenFrame.series(300), content: .busy)
        findings.add(run.check(findings.scenario), in: "the mean")
        let seen = Double(run.totalBytes * 8) / 10
        findings.expect(
            abs(seen / Double(rate) - 1) < 0.15, "\(rate) bit/s within 15 %", seen: "\(Int(seen)) bit/s")
    }

    /// After pictures that need nothing, rate control would give hard ones all that the mean has left.
    private static func checkPeak(_ context: ScenarioContext, _ findings: inout Findings) async throws {
        let (rate, peak, duration) = (200_000, 240_000, 0.25)
        var configuration = context.repeatable(context.configuration())
        configuration.live.variableBitRate = rate
        configuration.live.vbvMaxBitRate = peak
        configuration.live.vbvBufferDuration = duration
        let videos = [SyntheticVideo.Content.flat, .busy].map { ScenarioContext.video(for: configuration, $0) }
        let run = try await context.run(
            configuration, GivenFrame.series(180),
            picture: { index throws(EncoderError) in try videos[index < 90 ? 0 : 1].picture(at: index) })
        findings.add(run.check(findings.scenario), in: "the peak")
        for seconds in [0.5, 1] {
            // A device may pass its buffer here too, by a seventh.
            let slack = context.encoder.isHardwareAccelerated ? 8.0 / 7 : 1
            let most = Double(peak) * (seconds + duration) * slack
            let worst = worstWindow(run.frames, seconds: seconds) * 8
            findings.expect(
                Double(worst) <= most, "at most \(Int(most)) bits in \(seconds) s at a peak of \(peak) bit/s",
                seen: "\(worst)")
        }
        findings.expect(
            run.byteCount(90..<180) * 8 > rate * 2, "hard pictures that use most of \(rate) bit/s",
            seen: "\(run.byteCount(90..<180) * 8 / 3) bit/s")
    }

    /// A peak, or a buffer duration, that alone changes is kept from then on, and a longer buffer is used by an encoder
    /// that used a higher peak.
    private static func checkLivePeak(_ context: ScenarioContext, _ findings: inout Findings) async throws {
        let (rate, seconds) = (200_000, 0.5)
        // Peaks, and seconds of them in the buffer.
        let parts: [(peak: Int, duration: Double)] = [(800_000, 0.5), (240_000, 0.5), (240_000, 3), (240_000, 0.25)]
        var configuration = context.repeatable(context.configuration())
        configuration.live.variableBitRate = rate
        @Sendable func ask(_ live: inout LiveSettings, _ part: Int) {
            (live.vbvMaxBitRate, live.vbvBufferDuration) = (parts[part].peak, parts[part].duration)
        }
        ask(&configuration.live, 0)
        let videos = [SyntheticVideo.Content.flat, .busy].map { ScenarioContext.video(for: configuration, $0) }
        let run = try await context.run(
            configuration, GivenFrame.series(parts.count * 90),
            picture: { index throws(EncoderError) in try videos[index / 45 % 2].picture(at: index) },
            before: { index, session in
                guard index > 0, index.isMultiple(of: 90) else { return }
                try await session.update { ask(&$0, index / 90) }
            })
        findings.add(run.check(findings.scenario), in: "peaks that change")
        let bits = parts.indices.map { part in
            let hard = run.frames.filter { (part * 90 + 45..<(part + 1) * 90).contains($0.token as? Int ?? 0) }
            return worstWindow(hard, seconds: seconds) * 8
        }
        for (part, (peak, duration)) in parts.enumerated() {
            let most = Int(Double(peak) * (seconds + duration))
            findings.expect(
                bits[part] <= most, "at most \(most) bits in \(seconds) s at a peak of \(peak) bit/s in part \(part)",
                seen: "\(bits[part])")
        }
        func takesMore(_ more: Int, than fewer: Int) -> Bool { bits[more] * 10 > bits[fewer] * 11 }
        // An encoder may spend its mean evenly, whatever the peak; one that uses a peak uses a longer buffer too.
        guard takesMore(0, than: 1) else { return }
        for fewer in [1, 3] {
            findings.expect(
                takesMore(2, than: fewer),
                "a tenth more bits in \(seconds) s with \(parts[2]) than with \(parts[fewer])",
                seen: "\(bits[2]) and \(bits[fewer])")
        }
    }

    /// The first picture can have no more than what the buffer holds by then.
    private static func checkStart(_ context: ScenarioContext, _ findings: inout Findings) async throws {
        let (rate, duration) = (60_000, 2.0)
        var first: [Int] = []
        for percent in [5.0, 100] {
            var configuration = context.configuration()
            configuration.live.variableBitRate = rate
            configuration.live.vbvMaxBitRate = rate
            configuration.live.vbvBufferDuration = duration
            configuration.live.vbvInitialDelayPercentage = percent
            let run = try await context.run(configuration, GivenFrame.series(15), content: .busy)
            findings.add(run.check(findings.scenario), in: "an initial delay of \(percent) %")
            let bits = run.byteCount(0..<1) * 8
            let most = Double(rate) * duration * percent / 100
            findings.expect(
                Double(bits) <= most,
                "a first picture of at most \(Int(most)) bits with an initial delay of \(percent) %",
                seen: "\(bits)")
            first.append(bits)
        }
        findings.expect(
            first[0] < first[1], "a smaller first picture with an initial delay of 5 % than with one of 100 %",
            seen: "\(first[0]) and \(first[1]) bits")
    }
}
