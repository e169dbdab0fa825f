// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateBitRates = Scenario(
        "late-bit-rates",
        "Every bit rate of many is followed: the fifth update as the first, behind another size and a restart too.",
        settings: [.averageBitRate], effects: [.averageBitRate], length: 4
    ) { context, findings in
        let (high, low) = (600_000, 150_000)
        var configuration = context.configuration()
        configuration.live.averageBitRate = high
        let changes: [(String, Life.Change)] = [
            ("the first rate", .none), ("update 1", rate(low)), ("update 2", rate(high)), ("update 3", rate(low)),
            ("update 4", rate(high)), ("update 5", rate(low)),
            ("another size", .pictures(width: ScenarioContext.size.height, height: ScenarioContext.size.width)),
            ("update 6", rate(high)), ("complete()", .completion), ("update 7", rate(low)),
        ]
        let life = Life(
            configuration: configuration, content: .busy,
            parts: changes.map { Life.Part($0.0, $0.1, count: 100) })
        let lived = try await context.live(life, "", &findings)
        // A second and a bit until rate control has got there.
        let settled = 50..<100
        let spent = life.ranges.map { range in
            lived.run.byteCount(range.lowerBound + settled.lowerBound..<range.lowerBound + settled.upperBound)
        }
        var (last, isHigh) = (0, true)
        for (part, change) in changes.enumerated().dropFirst() {
            guard case .settings = change.1 else { continue }
            isHigh.toggle()
            let grew = Double(spent[part]) / Double(max(spent[last], 1))
            findings.expect(
                isHigh ? grew > 1.6 : grew < 1 / 1.6,
                "\(isHigh ? "more than 1.6 times" : "less than 1/1.6 of") the \(spent[last]) bytes of \"\(changes[last].0)\" "
                    + "after \(change.0) to \(isHigh ? high : low) bit/s", seen: "\(spent[part])")
            last = part
        }
    }

    private static func rate(_ bitsPerSecond: Int) -> Life.Change { .settings { $0.averageBitRate = bitsPerSecond } }

    static let lateLimits = Scenario(
        "late-limits",
        "A limit that alone changes is kept from then on, the fourth as the first, behind another size too.",
        settings: [.averageBitRate, .dataRateLimits], effects: [.dataRateLimits], length: 4
    ) { context, findings in
        for control in [RateControl.averageBitRate(500_000), .quality(0.9)]
        where control.setting.map(context.has) ?? true {
            try await checkLimits(control, context, &findings)
        }
    }

    /// In every other part a limit of a tenth of what the pictures take.
    private static func checkLimits(
        _ control: RateControl, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        let wide = DataRateLimit(bytes: 150_000, seconds: 1)
        let tight = DataRateLimit(bytes: 12_000, seconds: 1)
        var configuration = context.configuration()
        configuration.live.rateControl = control
        configuration.live.dataRateLimits = [wide]
        let size = ScenarioContext.size
        let parts: [(Life.Part, DataRateLimit)] = [
            (Life.Part("the first limit", count: 60), wide),
            (Life.Part("limit 2", limit(tight), count: 75), tight),
            (Life.Part("limit 3", limit(wide), count: 60), wide),
            (Life.Part("limit 4", limit(tight), count: 75), tight),
            (Life.Part("limit 5", limit(wide), count: 60), wide),
            (Life.Part("another size", .pictures(width: size.height, height: size.width), count: 30), wide),
            (Life.Part("limit 6", limit(tight), count: 75), tight),
        ]
        let life = Life(configuration: configuration, content: .busy, parts: parts.map(\.0))
        let lived = try await context.live(life, "\(control)", &findings)
        for (number, part) in parts.enumerated() {
            // Windows that begin a second into the part carry nothing of the time before the limit.
            let start = life.ranges[number].lowerBound + 30
            let frames = lived.frames(of: number).filter { $0.token as? Int ?? 0 >= start }
            let worst = worstWindow(frames, seconds: 1)
            let label = "in \(part.0.label), \(control)"
            if part.1 == tight {
                findings.expect(worst <= tight.bytes * 11 / 10, "about \(tight) \(label)", seen: "\(worst) bytes")
            } else if !frames.isEmpty {
                findings.expect(
                    worst > tight.bytes * 2, "more than \(tight.bytes * 2) bytes in a second \(label)",
                    seen: "\(worst) bytes")
            }
        }
    }

    private static func limit(_ limit: DataRateLimit) -> Life.Change { .settings { $0.dataRateLimits = [limit] } }

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

    private static func most(_ quantizer: Int?) -> Life.Change { .settings { $0.maxAllowedFrameQP = quantizer } }
}
