// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateQuantizers = Scenario(
        "late-quantizers",
        "A largest quantizer holds after each of many updates, of a rate with it too, behind another size and a restart.",
        settings: [.maxAllowedFrameQP], effects: [.maxAllowedFrameQP], length: 4
    ) { context, findings in
        // With a rate there are other updates besides, which an encoder may count.
        let rates = context.has(.averageBitRate) ? [62_000, 60_000].map(context.small) : []
        let configuration = prompt(rates, context)
        let free = try await context.run(configuration, GivenFrame.series(40)).slices().map(\.quantizer)
        let legal = context.capabilities.quantizers.lowerBound
        guard let least = free.min(), least > legal + 3 else {
            throw NotApplicable("the encoder chooses the smallest quantizers by itself")
        }
        let trial = BoundTrial(
            bounds: [3, 6, 3, 6, 9].map { max(least - $0, legal) }, rates: rates,
            set: { bound, rate in
                .settings { live in
                    live.maxAllowedFrameQP = bound
                    if let rate { live.averageBitRate = rate }
                }
            }, holds: { $0 <= $1 },
            free: "a quantizer above \(least - 3)", isFree: { $0 > least - 3 })
        try await trial.run(configuration, context, &findings)
    }

    static let lateSmallestQuantizers = Scenario(
        "late-smallest-quantizers",
        "A smallest quantizer holds after each of many updates, of a rate with it too, behind another size and a restart.",
        settings: [.minAllowedFrameQP, .averageBitRate], effects: [.minAllowedFrameQP], length: 4
    ) { context, findings in
        let rates = [1_550_000, 1_500_000].map(context.small)
        let configuration = prompt(rates, context)
        // The first pictures, for which the encoder knows nothing yet, have others.
        let free = try await context.run(configuration, GivenFrame.series(40)).slices(of: 10..<40).map(\.quantizer)
        let legal = context.capabilities.quantizers.upperBound
        guard let most = free.max(), most + 12 <= legal else {
            throw NotApplicable("the encoder chooses large quantizers by itself")
        }
        let trial = BoundTrial(
            bounds: [6, 3, 9, 12, 6].map { most + $0 }, rates: rates,
            set: { bound, rate in
                .settings { live in
                    live.minAllowedFrameQP = bound
                    if let rate { live.averageBitRate = rate }
                }
            }, holds: { $0 >= $1 },
            free: "a quantizer up to \(most + 2)", isFree: { $0 <= most + 2 })
        try await trial.run(configuration, context, &findings)
    }

    /// Settings with which what is asked shows soon, at the last of some rates.
    private static func prompt(_ rates: [Int], _ context: ScenarioContext) -> SessionConfiguration {
        var configuration = context.smallConfiguration()
        if context.has(.maxFrameDelayCount) { configuration.maxFrameDelayCount = 0 }
        configuration.live.averageBitRate = rates.last
        return configuration
    }
}

/// A bound of the quantizer that is set, changed and taken away again and again in one life.
private struct BoundTrial {
    /// Five of them, in the order in which they are set.
    let bounds: [Int]
    /// Rates that are set after each, the last of which is that of the start.
    let rates: [Int]
    /// Sets a bound, and a rate in the same update, where there is one.
    let set: @Sendable (_ bound: Int?, _ rate: Int?) -> Life.Change
    /// Whether a quantizer keeps a bound.
    let holds: (_ quantizer: Int, _ bound: Int) -> Bool
    /// What shows that there is no bound.
    let free: String
    let isFree: (_ quantizer: Int) -> Bool

    func run(
        _ configuration: SessionConfiguration, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        let size = context.smallSize
        let steps: [(label: String, change: Life.Change, bound: Int?)] = [
            ("the start", .none, nil), ("bound 1", set(bounds[0], nil), bounds[0]),
            ("bound 2, none", set(nil, nil), nil), ("bound 3, with a rate", set(bounds[1], rates.first), bounds[1]),
            ("bound 4", set(bounds[2], nil), bounds[2]),
            ("another size", .pictures(width: size.height, height: size.width), bounds[2]),
            ("bound 5, none, with a rate", set(nil, rates.first), nil), ("bound 6", set(bounds[3], nil), bounds[3]),
            ("complete()", .completion, bounds[3]), ("bound 7", set(bounds[4], nil), bounds[4]),
        ]
        var parts: [(part: Life.Part, bound: Int?, isFirst: Bool)] = []
        for step in steps {
            parts.append((Life.Part(step.label, step.change), step.bound, true))
            for rate in rates {
                let change = Life.Change.settings { $0.averageBitRate = rate }
                parts.append((Life.Part("\(rate) bit/s after \(step.label)", change, count: 6), step.bound, false))
            }
        }
        let life = Life(configuration: configuration, parts: parts.map(\.part))
        let lived = try await context.live(life, "", &findings)
        // What is still inside when another bound comes may follow that one.
        let held = context.watch.opened.map(\.maximumDelay).max() ?? 0
        for (number, (part, bound, isFirst)) in parts.enumerated() {
            let quantizers = try lived.run.slices(of: life.ranges[number].dropLast(held)).map(\.quantizer)
            if let bound {
                let beyond = quantizers.filter { !holds($0, bound) }
                findings.expect(
                    beyond.isEmpty, "quantizers within the bound \(bound) in \(part.label)", seen: "\(beyond)")
            } else if isFirst, case .settings = part.change {
                findings.expect(
                    quantizers.contains(where: isFree), "\(free), now unbounded, in \(part.label)",
                    seen: "\(quantizers)")
            }
        }
    }
}
