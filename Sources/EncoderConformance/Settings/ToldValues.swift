// SPDX-License-Identifier: MIT

import EncoderAPI

// What an encoder tells of itself, beside what its stream says.
extension Scenario {
    static let averageQuantizers = Scenario(
        "average-quantizers",
        "The mean quantizer told with a frame is that of its slices where all blocks have one, and follows it elsewhere.",
        settings: [.constantQuantizer]
    ) { context, findings in
        for effort in context.efforts {
            var last: (told: Double, sliced: Double)?
            for quantizer in [22, 36] {
                var configuration = context.configuration(effort)
                configuration.live.rateControl = .constantQuantizer(quantizer)
                let run = try await context.run(configuration, GivenFrame.series(75, forced: [30]))
                let label = "quantizer \(quantizer), \(effort) effort"
                findings.add(run.check(findings.scenario), in: label)
                for frame in run.frames {
                    guard let (told, sliced) = try quantizers(of: frame) else { continue }
                    findings.expect(
                        abs(told - sliced) <= 1,
                        "a mean quantizer of frame \(frame.token ?? "?") near the \(sliced) of its slices (\(label))",
                        seen: "\(told)")
                }
                let all = try run.frames.compactMap(quantizers)
                guard !all.isEmpty else { throw NotApplicable("no frame comes with a mean quantizer") }
                let mean = (all.map(\.told).mean, all.map(\.sliced).mean)
                if let last {
                    findings.expect(
                        mean.0 > last.told,
                        "a mean quantizer above \(last.told), as slices went from \(last.sliced) to \(mean.1) (\(label))",
                        seen: "\(mean.0)")
                }
                last = mean
            }
            try await checkAdaptive(effort, context, &findings)
        }
    }

    /// Where an encoder moves blocks within a picture, the mean rises with the quantizers that slices start from.
    private static func checkAdaptive(
        _ effort: ScenarioContext.Effort, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        guard context.has(.averageBitRate), context.circumstance == .first else { return }
        var configuration = context.smallConfiguration(effort)
        var means: [(told: Double, sliced: Double)] = []
        for rate in [400_000, 60_000].map(context.small) {
            configuration.live.averageBitRate = rate
            let run = try await context.run(configuration, GivenFrame.series(60), content: .busy)
            findings.add(run.check(findings.scenario), in: "\(rate) bit/s, \(effort) effort")
            let all = try run.frames.dropFirst(30).compactMap(quantizers)
            means.append((all.map(\.told).mean, all.map(\.sliced).mean))
        }
        findings.expect(
            means[0].sliced >= means[1].sliced || means[0].told < means[1].told,
            "a mean quantizer that rises as slices do, from \(means[0].sliced) to \(means[1].sliced), with \(effort) effort",
            seen: "\(means[0].told), then \(means[1].told)")
    }

    /// What is told of a frame, and the mean of what its slices start from; nil for a frame without either.
    static func quantizers(of frame: EncodedFrame) throws -> (told: Double, sliced: Double)? {
        guard let unit = frame.accessUnit, let told = unit.averageQP else { return nil }
        let slices = try StreamHeaders(unit.format).slices(of: unit)
        return slices.isEmpty ? nil : (told, slices.map { Double($0.quantizer) }.mean)
    }

    static let reorderDepth = Scenario(
        "reorder-depth",
        "The pictures by which decode order lags are those that the parameter sets say, and as many as it takes."
    ) { context, findings in
        for effort in context.efforts {
            for mayReorder in context.has(.allowFrameReordering) ? [true, false] : [nil] {
                var configuration = context.configuration(effort)
                configuration.allowFrameReordering = mayReorder
                let run = try await context.run(configuration, GivenFrame.series(60))
                let label =
                    "\(effort) effort\(mayReorder.map { ", reordering \($0 ? "allowed" : "not allowed")" } ?? "")"
                findings.add(run.check(findings.scenario), in: label)
                let depth = context.watch.opened.last?.reorderDepth ?? 0
                if let told = try run.headers().reorderFrames {
                    findings.expect(
                        depth == told, "a reorderDepth of \(told), as in the parameter sets (\(label))",
                        seen: "\(depth)")
                }
                let needed = run.reorderedFrames
                findings.expect(
                    needed <= depth, "a reorderDepth of \(needed) or more, by the order of frames (\(label))",
                    seen: "\(depth)")
            }
        }
    }

    static let automaticLevel = Scenario(
        "automatic-level",
        "A level that nobody named allows the size and rate of the pictures, and an average bit rate where one is asked for."
    ) { context, findings in
        let capabilities = context.capabilities
        for (width, height, rate) in [(128, 96, 30), (352, 288, 60), (640, 368, 30), (1280, 720, 30)]
            as [(Int, Int, Int32)]
        where capabilities.codedWidths.contains(width) && capabilities.codedHeights.contains(height) {
            for bits in context.has(.averageBitRate) ? [nil, 3_000_000] : [nil] {
                var configuration = context.configuration(width: width, height: height)
                if context.has(.expectedFrameRate) {
                    configuration.live.expectedFrameRate = FrameRate(numerator: Int(rate))
                }
                if let bits { configuration.live.averageBitRate = bits }
                let run = try await context.run(configuration, GivenFrame.series(1, rate: rate))
                let label = "\(width)x\(height), \(rate) frames per second\(bits.map { ", \($0) bit/s" } ?? "")"
                findings.add(run.check(findings.scenario), in: label)
                let headers = try run.headers()
                let told = context.watch.opened.last?.settings.plan.frameRate.framesPerSecond ?? Double(rate)
                guard let least = headers.lowestLevel(framesPerSecond: told) else { continue }
                findings.expect(
                    headers.level >= least, "level \(least) in tenths or more for \(label)", seen: "\(headers.level)")
                guard let bits, let most = headers.levelRates?.bitsPerSecond else { continue }
                findings.expect(
                    most >= bits, "a level that allows the bit rate of \(label)",
                    seen: "level \(headers.level), which allows \(most) bit/s")
            }
        }
    }
}

extension SessionRun {
    /// Most frames that come before another in decode order and are shown after it.
    fileprivate var reorderedFrames: Int {
        let times = frames.filter { $0.accessUnit != nil }.map(\.presentationTime)
        return times.indices.map { index in times[..<index].count { $0 > times[index] } }.max() ?? 0
    }
}

extension [Double] {
    /// The mean; 0 of none.
    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
