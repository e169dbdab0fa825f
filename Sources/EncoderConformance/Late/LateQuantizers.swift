// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateQuantizers = Scenario(
        "late-quantizers",
        "Bounds of the quantizer hold after each of many updates, behind another size and a restart too.",
        settings: [.maxAllowedFrameQP], effects: [.maxAllowedFrameQP], length: 4
    ) { context, findings in
        var configuration = context.configuration()
        if context.has(.maxFrameDelayCount) { configuration.maxFrameDelayCount = 0 }
        // With a rate there are other updates besides, which an encoder may count.
        let rates = context.has(.averageBitRate) ? [62_000, 60_000] : []
        configuration.live.averageBitRate = rates.last
        let free = try await context.run(configuration, GivenFrame.series(40)).slices().map(\.quantizer)
        let legal = context.capabilities.quantizers.lowerBound
        guard let least = free.min(), least > legal + 3 else {
            throw NotApplicable("the encoder chooses the smallest quantizers by itself")
        }
        func bound(_ distance: Int) -> Int { max(least - distance, legal) }
        let size = ScenarioContext.size
        let steps: [(label: String, change: Life.Change, bound: Int?)] = [
            ("the start", .none, nil), ("bound 1", most(bound(3)), bound(3)), ("bound 2, none", most(nil), nil),
            ("bound 3", most(bound(6)), bound(6)), ("bound 4", most(bound(3)), bound(3)),
            ("another size", .pictures(width: size.height, height: size.width), bound(3)),
            ("bound 5, none", most(nil), nil), ("bound 6", most(bound(6)), bound(6)),
            ("complete()", .completion, bound(6)), ("bound 7", most(bound(9)), bound(9)),
        ]
        var parts: [(part: Life.Part, bound: Int?)] = []
        for step in steps {
            parts.append((Life.Part(step.label, step.change), step.bound))
            parts += rates.map { (Life.Part("\($0) bit/s after \(step.label)", rate($0), count: 6), step.bound) }
        }
        let life = Life(configuration: configuration, parts: parts.map(\.part))
        let lived = try await context.live(life, "", &findings)
        // What is still inside when another bound comes may follow that one.
        let held = context.watch.opened.map(\.maximumDelay).max() ?? 0
        for (number, (part, bound)) in parts.enumerated() {
            let range = life.ranges[number].dropLast(held)
            let quantizers = try lived.run.slices(of: range).map(\.quantizer)
            if let bound {
                let beyond = quantizers.filter { $0 > bound }
                findings.expect(beyond.isEmpty, "quantizers up to \(bound) in \(part.label)", seen: "\(beyond)")
            } else if case .settings = part.change, part.count == 20 {
                findings.expect(
                    quantizers.contains { $0 > least - 3 },
                    "quantizers above \(least - 3), now unbounded, in \(part.label)",
                    seen: "\(quantizers.max() ?? 0) at most")
            }
        }
    }

    private static func rate(_ bitsPerSecond: Int) -> Life.Change { .settings { $0.averageBitRate = bitsPerSecond } }

    private static func most(_ quantizer: Int?) -> Life.Change { .settings { $0.maxAllowedFrameQP = quantizer } }

    static let lateSmallestQuantizers = Scenario(
        "late-smallest-quantizers",
        "A smallest quantizer holds after each of many updates, behind another size and a restart too.",
        settings: [.minAllowedFrameQP, .averageBitRate], effects: [.minAllowedFrameQP], length: 4
    ) { context, findings in
        var configuration = context.configuration()
        if context.has(.maxFrameDelayCount) { configuration.maxFrameDelayCount = 0 }
        let rates = [1_550_000, 1_500_000]
        configuration.live.averageBitRate = rates.last
        // The first pictures, for which the encoder knows nothing yet, have others.
        let free = try await context.run(configuration, GivenFrame.series(40)).slices(of: 10..<40).map(\.quantizer)
        let legal = context.capabilities.quantizers.upperBound
        guard let most = free.max(), most + 12 <= legal else {
            throw NotApplicable("the encoder chooses large quantizers by itself")
        }
        let size = ScenarioContext.size
        let steps: [(label: String, change: Life.Change, bound: Int?)] = [
            ("the start", .none, nil), ("bound 1", least(most + 6), most + 6), ("bound 2, none", least(nil), nil),
            ("bound 3", least(most + 3), most + 3), ("bound 4", least(most + 9), most + 9),
            ("another size", .pictures(width: size.height, height: size.width), most + 9),
            ("bound 5, none", least(nil), nil), ("bound 6", least(most + 12), most + 12),
            ("complete()", .completion, most + 12), ("bound 7", least(most + 6), most + 6),
        ]
        var parts: [(part: Life.Part, bound: Int?)] = []
        for step in steps {
            parts.append((Life.Part(step.label, step.change), step.bound))
            parts += rates.map { (Life.Part("\($0) bit/s after \(step.label)", rate($0), count: 6), step.bound) }
        }
        let life = Life(configuration: configuration, parts: parts.map(\.part))
        let lived = try await context.live(life, "", &findings)
        let held = context.watch.opened.map(\.maximumDelay).max() ?? 0
        for (number, (part, bound)) in parts.enumerated() {
            let quantizers = try lived.run.slices(of: life.ranges[number].dropLast(held)).map(\.quantizer)
            if let bound {
                let beyond = quantizers.filter { $0 < bound }
                findings.expect(beyond.isEmpty, "quantizers from \(bound) on in \(part.label)", seen: "\(beyond)")
            } else if part.count == 20 {
                findings.expect(
                    quantizers.contains { $0 <= most + 2 },
                    "quantizers up to \(most + 2), now unbounded, in \(part.label)",
                    seen: "\(quantizers.min() ?? 0) at least")
            }
        }
    }

    private static func least(_ quantizer: Int?) -> Life.Change { .settings { $0.minAllowedFrameQP = quantizer } }
}
