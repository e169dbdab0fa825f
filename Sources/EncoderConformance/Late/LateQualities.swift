// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateQualities = Scenario(
        "late-qualities",
        "A finer quality or rate factor gives smaller quantizers and a coarser one larger, the fourth update as the "
            + "first, behind another size and a restart too.",
        settings: [], effects: [.constantRateFactor, .quality], length: 4
    ) { context, findings in
        guard context.has(.quality) || context.has(.constantRateFactor) else {
            throw NotApplicable("the encoder has neither a quality nor a rate factor")
        }
        let factors = context.capabilities.constantRateFactors ?? 0...51
        let step = (factors.upperBound - factors.lowerBound) / 10
        let ladders: [(setting: Setting, coarse: RateControl, fine: RateControl)] = [
            (
                .constantRateFactor, .constantRateFactor(factors.lowerBound + 8 * step),
                .constantRateFactor(factors.lowerBound + 4 * step)
            ), (.quality, .quality(0.15), .quality(0.7)),
        ]
        for ladder in ladders where context.has(ladder.setting) {
            try await checkUpdates(coarse: ladder.coarse, fine: ladder.fine, context, &findings)
        }
    }

    /// Every other part is coded finer than the one before it.
    private static func checkUpdates(
        coarse: RateControl, fine: RateControl, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        func update(_ control: RateControl) -> Life.Change { .settings { $0.rateControl = control } }
        let size = ScenarioContext.size
        let steps: [(label: String, change: Life.Change, isFine: Bool)] = [
            ("the start", .none, false), ("update 1", update(fine), true), ("update 2", update(coarse), false),
            ("update 3", update(fine), true), ("update 4", update(coarse), false),
            ("another size", .pictures(width: size.height, height: size.width), false),
            ("update 5", update(fine), true), ("complete()", .completion, true), ("update 6", update(coarse), false),
        ]
        var configuration = context.configuration()
        configuration.live.rateControl = coarse
        let life = Life(configuration: configuration, parts: steps.map { Life.Part($0.label, $0.change, count: 24) })
        let lived = try await context.live(life, "\(coarse) and \(fine)", &findings)
        // What is inside when an update comes may follow the setting before, and quantizers change step by step.
        let settled = 12
        let quantizers = try life.ranges.map { range in
            let seen = try lived.run.slices(of: range.lowerBound + settled..<range.upperBound).map(\.quantizer)
            return Double(seen.reduce(0, +)) / Double(max(seen.count, 1))
        }
        for (part, (earlier, later)) in zip(steps, steps.dropFirst()).enumerated() {
            let (before, after) = (quantizers[part], quantizers[part + 1])
            let label =
                "in \"\(later.label)\" than the mean quantizer \(before) of \"\(earlier.label)\", \(coarse) and \(fine)"
            if earlier.isFine == later.isFine {
                findings.expect(abs(after - before) < 5, "no more than 5 from the other \(label)", seen: "\(after)")
            } else {
                findings.expect(
                    later.isFine ? after < before - 3 : after > before + 3,
                    later.isFine ? "3 less \(label)" : "3 more \(label)", seen: "\(after)")
            }
        }
    }
}
