// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

extension Scenario {
    static let color = Scenario(
        "color", "The stream says what its samples mean: primaries, transfer, matrix and range as asked, or nothing.",
        settings: [.color], effects: [.color]
    ) { context, findings in
        var fullRange = ColorDescription.bt601NTSC
        fullRange.isFullRange = true
        let colors = [nil, ColorDescription.bt709, .bt2100PQ, fullRange]
        for color in context.cases(colors, again: [nil, .bt2100PQ]) {
            try await checkColor(color, of: context.configuration().pixelFormat, context, &findings)
        }
        for format in PixelFormat.allCases
        where format.isFullRange && context.capabilities.bitDepths.contains(format.bitDepth) {
            for color in context.cases([nil, ColorDescription.bt709], again: [nil]) {
                try await checkColor(color, of: format, context, &findings)
            }
        }
    }

    private static func checkColor(
        _ color: ColorDescription?, of format: PixelFormat, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        var configuration = context.configuration(format: format)
        configuration.color = color
        let label = "\(format), \(color.map { "\($0)" } ?? "no colors")"
        let run = try await context.run(configuration, GivenFrame.series(3))
        findings.add(run.check(findings.scenario), in: label)
        let expected = configuration.signalledColor
        let seen = try run.headers().color
        findings.expect(
            seen == expected || run.adjusts(.color), "a stream that says \(String(describing: expected)) (\(label))",
            seen: String(describing: seen))
    }

    static let pixelAspectRatio = Scenario(
        "pixel-aspect-ratio",
        "The stream says the shape of its samples: one of the standard's table, another, or none.",
        settings: [.pixelAspectRatio], effects: [.pixelAspectRatio]
    ) { context, findings in
        let shapes: [(Int, Int)?] = [nil, (16, 11), (37, 30)]
        for spacing in context.cases(shapes, again: [(37, 30)]) {
            let ratio = spacing.map { PixelAspectRatio(horizontalSpacing: $0.0, verticalSpacing: $0.1) }
            var configuration = context.configuration()
            configuration.pixelAspectRatio = ratio
            let run = try await context.run(configuration, GivenFrame.series(3))
            findings.add(run.check(findings.scenario), in: "\(String(describing: ratio))")
            let seen = try run.headers().pixelAspectRatio
            let expected = ratio ?? PixelAspectRatio(horizontalSpacing: 1, verticalSpacing: 1)
            let isSame = ratio == nil && seen == nil || seen?.reduced == expected.reduced
            findings.expect(
                isSame || run.adjusts(.pixelAspectRatio), "pixels of \(expected)",
                seen: seen.map(\.description) ?? "no shape")
        }
    }

    static let expectedFrameRate = Scenario(
        "expected-frame-rate",
        "Frames without durations get the bits, and the stream the clock, of the frame rate that is expected.",
        settings: [.expectedFrameRate, .averageBitRate], effects: [.expectedFrameRate]
    ) { context, findings in
        let target = context.small(300_000)
        for rate: Int32 in context.cases([10, 60], again: [10]) {
            // Without delay an encoder cannot wait for the next frame's time to learn how long a frame lasts.
            let asksForDelays = context.has(.maxFrameDelayCount) && context.circumstance == .first
            for delay in asksForDelays ? [nil, 0] : [nil] {
                var configuration = context.smallConfiguration()
                configuration.live = LiveSettings(
                    rateControl: .averageBitRate(target), expectedFrameRate: FrameRate(numerator: Int(rate)))
                configuration.maxFrameDelayCount = delay
                // The first half fills and empties the encoder's buffer.
                let seconds = 8
                let given = GivenFrame.series(Int(rate) * seconds, rate: rate).map { GivenFrame(time: $0.time) }
                let run = try await context.run(configuration, given, content: .busy)
                let label = "\(rate) frames per second, \(delay.map { "delay \($0)" } ?? "any delay")"
                findings.add(run.check(findings.scenario), in: label)
                let spent = Double(run.byteCount(given.count / 2..<given.count) * 8) / Double(seconds / 2)
                findings.expect(
                    abs(spent / Double(target) - 1) < 0.25, "\(target) bit/s within 25 % (\(label))",
                    seen: "\(Int(spent))")
                if let told = try run.headers().fixedFrameRate {
                    findings.expect(
                        abs(told.value / Double(rate) - 1) < 0.01, "a clock of \(rate) pictures per second (\(label))",
                        seen: "\(told.value)")
                }
            }
        }
    }
}
