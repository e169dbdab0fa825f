// SPDX-License-Identifier: MIT

import EncoderAPI

// Quantizers are those of slice headers. An encoder that moves blocks inside a picture by adaptive quantization starts
// from that one: the bounds hold for it, not for each block, which no header tells.
extension Scenario {
    static let smallestQuantizer = Scenario(
        "smallest-quantizer",
        "No slice starts from a quantizer below the smallest allowed, with an average, a quality, a rate factor or "
            + "none of these; beside a constant quantizer the bound holds, is refused or is listed.",
        settings: [.minAllowedFrameQP], effects: [.minAllowedFrameQP]
    ) { context, findings in
        // More bits than the pictures need, so that only the bound stops the quantizer from falling.
        try await checkBound(context, rate: 4_000_000, &findings) { live, free, legal in
            let bound = min((free.max() ?? 0) + 6, legal.upperBound)
            live.minAllowedFrameQP = bound
            return bound...legal.upperBound
        }
        try await checkBesideConstant(context, .minAllowedFrameQP, &findings) { live, quantizer, legal in
            live.minAllowedFrameQP = quantizer
            return quantizer...legal.upperBound
        }
    }

    static let largestQuantizer = Scenario(
        "largest-quantizer",
        "No slice starts from a quantizer above the largest allowed, with an average, a quality, a rate factor or "
            + "none of these; beside a constant quantizer the bound holds, is refused or is listed.",
        settings: [.maxAllowedFrameQP], effects: [.maxAllowedFrameQP]
    ) { context, findings in
        try await checkBound(context, rate: 60_000, &findings) { live, free, legal in
            let bound = max((free.min() ?? 0) - 6, legal.lowerBound)
            live.maxAllowedFrameQP = bound
            return legal.lowerBound...bound
        }
        try await checkBesideConstant(context, .maxAllowedFrameQP, &findings) { live, quantizer, legal in
            live.maxAllowedFrameQP = quantizer
            return legal.lowerBound...quantizer
        }
    }

    /// Bounds the quantizers of I and B slices beside that of P slices: the bound holds, is refused or is listed.
    private static func checkBesideConstant(
        _ context: ScenarioContext, _ setting: Setting, _ findings: inout Findings,
        bound: (inout LiveSettings, _ quantizer: Int, _ legal: ClosedRange<Int>) -> ClosedRange<Int>
    ) async throws {
        guard context.has(.constantQuantizer) else { return }
        let quantizer = 30
        var configuration = context.configuration(.usual)
        configuration.live.rateControl = .constantQuantizer(quantizer)
        let legal = bound(&configuration.live, quantizer, context.capabilities.quantizers)
        do throws(EncoderError) {
            try await context.open(configuration)
        } catch {
            findings.expect(
                [.conflictingSettings, .invalidValue, .unsupported].contains(error.code),
                "quantizer \(quantizer) beside \(setting.rawValue) \(quantizer) to be refused as such",
                seen: "\(error.code.rawValue): \(error)")
            return
        }
        let run = try await context.run(configuration, GivenFrame.series(15))
        let label = "quantizer \(quantizer) beside \(setting.rawValue) \(quantizer)"
        findings.add(run.check(findings.scenario), in: label)
        let beyond = try run.slices().map(\.quantizer).filter { !legal.contains($0) }
        findings.expect(
            beyond.isEmpty || run.adjusts(setting), "quantizers in \(legal) (\(label)), or an adjustment",
            seen: "\(beyond)")
    }

    /// Bounds the quantizers beyond those that an encoder chooses by itself.
    private static func checkBound(
        _ context: ScenarioContext, rate: Int, _ findings: inout Findings,
        bound: (inout LiveSettings, _ free: [Int], _ legal: ClosedRange<Int>) -> ClosedRange<Int>
    ) async throws {
        let modes: [RateControl] = [.automatic, .averageBitRate(rate), .quality(0.5), .constantRateFactor(26)]
        for mode in context.cases(modes, again: [.automatic, .averageBitRate(rate)])
        where mode.setting.map(context.has) ?? true {
            var configuration = context.configuration(.usual)
            configuration.live.rateControl = mode
            let free = try await context.run(configuration, GivenFrame.series(15)).slices().map(\.quantizer)
            let legal = bound(&configuration.live, free, context.capabilities.quantizers)
            let run = try await context.run(configuration, GivenFrame.series(15))
            let label = "\(mode), quantizers \(legal), which are \(free.min() ?? 0)...\(free.max() ?? 0) without bounds"
            findings.add(run.check(findings.scenario), in: label)
            let beyond = try run.slices().map(\.quantizer).filter { !legal.contains($0) }
            findings.expect(beyond.isEmpty, "quantizers in \(legal) (\(label))", seen: "\(beyond)")
        }
    }

    static let liveQuantizers = Scenario(
        "live-quantizers", "A bound of the quantizer that changes mid-stream holds from the next frame on.",
        settings: [.maxAllowedFrameQP]
    ) { context, findings in
        let count = 20
        let configuration = context.configuration(.usual)
        let free = try await context.run(configuration, GivenFrame.series(count)).slices().map(\.quantizer)
        guard let least = free.min(), least > context.capabilities.quantizers.lowerBound else {
            throw NotApplicable("the encoder chooses the smallest quantizer by itself")
        }
        let bound = max(least - 6, context.capabilities.quantizers.lowerBound)
        // Only frames that are given after an update must show it: those inside an encoder may do so.
        for (before, after) in [(nil, bound), (bound, nil)] as [(Int?, Int?)] {
            var configuration = configuration
            configuration.live.maxAllowedFrameQP = before
            let run = try await context.run(
                configuration, GivenFrame.series(2 * count),
                before: { index, session in
                    if index == count { try await session.update { $0.maxAllowedFrameQP = after } }
                })
            let label = "\(after.map { "at most \($0)" } ?? "no longer at most \(bound)") from frame \(count) on"
            findings.add(run.check(findings.scenario), in: label)
            let beyond = try run.slices(of: count..<2 * count).map(\.quantizer).filter { $0 > bound }
            findings.expect(beyond.isEmpty == (after != nil), "quantizers of \(label)", seen: "\(beyond)")
        }
    }

    static let constantQuantizer = Scenario(
        "constant-quantizer",
        "Every P slice has the quantizer asked for; those of I and B slices differ by fixed offsets.",
        settings: [.constantQuantizer], effects: [.constantQuantizer]
    ) { context, findings in
        var sizes: [Int] = []
        let depths = [8, 8, 10].filter(context.capabilities.bitDepths.contains)
        for (quantizer, depth) in zip([22, 36, 30], depths) {
            guard let format = context.format(bitDepth: depth) else { continue }
            var configuration = context.configuration(.usual, format: format)
            configuration.live.rateControl = .constantQuantizer(quantizer)
            let run = try await context.run(configuration, GivenFrame.series(15))
            let label = "quantizer \(quantizer), \(depth) bits"
            findings.add(run.check(findings.scenario), in: label)
            let slices = try run.slices()
            let predicted = Set(slices.filter { $0.kind == .p }.map(\.quantizer))
            let intra = Set(slices.filter { $0.kind == .i }.map(\.quantizer))
            // HEVC encoders may have B slices with two equal lists for P slices.
            let bipredicted = Set(slices.filter { $0.kind == .b }.map(\.quantizer))
            findings.expect(
                predicted == [quantizer]
                    || (predicted.isEmpty && (intra == [quantizer] || bipredicted.contains(quantizer))),
                "P slices of \(label)", seen: "\(predicted.sorted())")
            findings.expect(intra.count == 1, "I slices of one quantizer (\(label))", seen: "\(intra.sorted())")
            // B pictures that others refer to may differ from those that none does.
            findings.expect(
                bipredicted.count <= 2, "B slices of two quantizers at most (\(label))", seen: "\(bipredicted.sorted())"
            )
            sizes.append(run.totalBytes)
        }
        if sizes.count > 1 {
            findings.expect(
                sizes[0] > sizes[1], "more bytes at quantizer 22 than at 36", seen: "\(sizes[0]) and \(sizes[1])")
        }
    }

    static let constantRateFactor = Scenario(
        "constant-rate-factor", "A smaller rate factor gives more bytes and smaller quantizers.",
        settings: [.constantRateFactor], effects: [.constantRateFactor]
    ) { context, findings in
        let legal = context.capabilities.constantRateFactors ?? 0...51
        let step = (legal.upperBound - legal.lowerBound) / 10
        let modes = [8.0, 5, 3].map { RateControl.constantRateFactor(legal.lowerBound + $0 * step) }
        try await checkLadder(modes, context, &findings)
    }

    static let quality = Scenario(
        "quality", "A higher quality gives more bytes and smaller quantizers, also from one frame to the next.",
        settings: [.quality], effects: [.quality]
    ) { context, findings in
        try await checkLadder([0.15, 0.5, 0.85].map(RateControl.quality), context, &findings)
        var configuration = context.configuration()
        configuration.live.quality = 0.85
        let run = try await context.run(
            configuration, GivenFrame.series(40),
            before: { index, session in
                if index == 20 { try await session.update { $0.quality = 0.15 } }
            })
        findings.add(run.check(findings.scenario), in: "quality 0.15 from frame 20 on")
        let (before, after) = (run.byteCount(5..<20), run.byteCount(25..<40))
        findings.expect(
            after * 2 < before, "less than half of \(before) bytes after an update from quality 0.85 to 0.15",
            seen: "\(after)")
    }

    /// Each mode spends more than the one before.
    private static func checkLadder(
        _ modes: [RateControl], _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        var last: (mode: RateControl, bytes: Int, quantizer: Double)?
        for mode in modes {
            var configuration = context.configuration(.usual)
            configuration.live.rateControl = mode
            let run = try await context.run(configuration, GivenFrame.series(12))
            findings.add(run.check(findings.scenario), in: "\(mode)")
            let quantizers = try run.slices().map(\.quantizer)
            let mean = Double(quantizers.reduce(0, +)) / Double(max(quantizers.count, 1))
            if let last {
                findings.expect(
                    run.totalBytes > last.bytes, "more bytes with \(mode) than \(last.bytes) with \(last.mode)",
                    seen: "\(run.totalBytes)")
                findings.expect(
                    mean < last.quantizer, "a mean quantizer with \(mode) below \(last.quantizer) with \(last.mode)",
                    seen: "\(mean)")
            }
            last = (mode, run.totalBytes, mean)
        }
    }
}
