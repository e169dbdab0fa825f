// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateBitRates = Scenario(
        "late-bit-rates",
        "Every bit rate of many is followed, average, constant or variable: the fifth update as the first, behind another "
            + "size and a restart too, without key frames, and by the mean quantizer that is told.",
        settings: [.averageBitRate], effects: [.averageBitRate], length: 8
    ) { context, findings in
        let controls: [(Setting, @Sendable (Int) -> RateControl)] = [
            (.averageBitRate, { .averageBitRate($0) }), (.constantBitRate, { .constantBitRate($0) }),
            (.variableBitRate, { .variableBitRate($0) }),
        ]
        for (setting, control) in controls where context.has(setting) {
            try await checkRates(control, context, &findings)
        }
    }

    /// In every other part a quarter of the rate.
    private static func checkRates(
        _ control: @escaping @Sendable (Int) -> RateControl, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        let (high, low) = (context.small(600_000), context.small(150_000))
        func rate(_ bitsPerSecond: Int) -> Life.Change { .settings { $0.rateControl = control(bitsPerSecond) } }
        let size = context.smallSize
        var configuration = context.smallConfiguration()
        configuration.live.rateControl = control(high)
        if context.has(.maxKeyFrameInterval) { configuration.live.maxKeyFrameInterval = 100_000 }
        let changes: [(String, Life.Change)] = [
            ("the first rate", .none), ("update 1", rate(low)), ("update 2", rate(high)), ("update 3", rate(low)),
            ("update 4", rate(high)), ("update 5", rate(low)),
            ("another size", .pictures(width: size.height, height: size.width)),
            ("update 6", rate(high)), ("complete()", .completion), ("update 7", rate(low)),
        ]
        let life = Life(
            configuration: configuration, content: .busy,
            parts: changes.map { Life.Part($0.0, $0.1, count: 100) })
        let lived = try await context.live(life, "\(control(high)) and \(control(low))", &findings)
        if context.has(.maxKeyFrameInterval) {
            let legal = Set(life.parts.indices.filter(lived.mayStart).map { life.ranges[$0].lowerBound })
            let surplus = lived.run.syncIndices.filter { !legal.contains($0) }
            findings.expect(
                surplus.isEmpty, "no key frames but at \(legal.sorted()), with \(control(high)) and others",
                seen: "\(surplus)")
        }
        // A second and a bit until rate control has got there.
        let settled = 50..<100
        let spent = life.ranges.map { range in
            lived.run.byteCount(range.lowerBound + settled.lowerBound..<range.lowerBound + settled.upperBound)
        }
        let quantizers = try life.parts.indices.map { part in
            let frames = try lived.frames(of: part).suffix(settled.count).compactMap(Scenario.quantizers)
            return (told: frames.map(\.told).mean, sliced: frames.map(\.sliced).mean)
        }
        var (last, isHigh) = (0, true)
        for (part, change) in changes.enumerated().dropFirst() {
            guard case .settings = change.1 else { continue }
            isHigh.toggle()
            let grew = Double(spent[part]) / Double(max(spent[last], 1))
            findings.expect(
                isHigh ? grew > 1.6 : grew < 1 / 1.6,
                "\(isHigh ? "more than 1.6 times" : "less than 1/1.6 of") the \(spent[last]) bytes of \"\(changes[last].0)\" "
                    + "after \(change.0) to \(control(isHigh ? high : low))", seen: "\(spent[part])")
            let (before, after) = (quantizers[last], quantizers[part])
            findings.expect(
                after.sliced <= before.sliced || before.told == 0 || after.told > before.told,
                "a mean quantizer that rises as slices do, from \(before.sliced) to \(after.sliced), after "
                    + "\(change.0) to \(control(isHigh ? high : low))", seen: "\(before.told), then \(after.told)")
            last = part
        }
    }

    static let lateLimits = Scenario(
        "late-limits",
        "A limit that alone changes is kept from then on, the fourth as the first, behind another size too.",
        settings: [.averageBitRate, .dataRateLimits], effects: [.dataRateLimits], length: 4
    ) { context, findings in
        for control in [RateControl.averageBitRate(context.small(500_000)), .quality(0.9)]
        where control.setting.map(context.has) ?? true {
            try await checkLimits(control, context, &findings)
        }
    }

    /// A limit far above the average takes turns with one of a fifth of it.
    private static func checkLimits(
        _ control: RateControl, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        // Without the session's help: it drops what does not fit.
        let context = context.withoutQuantizers
        let wide = DataRateLimit(bytes: context.small(150_000), seconds: 1)
        let tight = DataRateLimit(bytes: context.small(12_000), seconds: 1)
        let size = context.smallSize
        var configuration = context.repeatable(context.smallConfiguration())
        configuration.live.rateControl = control
        configuration.live.dataRateLimits = [wide]
        let parts: [(Life.Part, DataRateLimit)] = [
            (Life.Part("the first limit", count: 60), wide),
            (Life.Part("limit 2", limit(tight), count: 75), tight),
            (Life.Part("limit 3", limit(wide), count: 60), wide),
            (Life.Part("limit 4", limit(tight), count: 75), tight),
            (Life.Part("limit 5", limit(wide), count: 60), wide),
            (Life.Part("another size", .pictures(width: size.height, height: size.width), count: 30), wide),
            (Life.Part("limit 6", limit(tight), count: 75), tight),
            (Life.Part("complete()", .completion, count: 75), tight),
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
                let dropped = frames.count { $0.dropReason == .rateControl }
                findings.expect(
                    dropped * 5 <= frames.count, "few frames dropped for \(tight) \(label)",
                    seen: "\(dropped) of \(frames.count)")
            } else if !frames.isEmpty {
                findings.expect(
                    worst > tight.bytes * 2, "more than \(tight.bytes * 2) bytes in a second \(label)",
                    seen: "\(worst) bytes")
            }
        }
    }

    private static func limit(_ limit: DataRateLimit) -> Life.Change { .settings { $0.dataRateLimits = [limit] } }
}
