// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let dataRateLimits = Scenario(
        "data-rate-limits",
        "No window of decode times carries more bytes than a limit allows, also across a live change, and the encoder "
            + "keeps the buffer by itself, so that nothing is dropped.",
        settings: [.dataRateLimits, .averageBitRate], effects: [.dataRateLimits]
    ) { context, findings in
        // Without the session's help: it drops what does not fit.
        let context = context.withoutQuantizers
        let second = DataRateLimit(bytes: 40_000, seconds: 1)
        let pair = [DataRateLimit(bytes: 30_000, seconds: 0.5), DataRateLimit(bytes: 90_000, seconds: 2)]
        for (limits, updates) in [([second], false), ([second], true), (pair, false)] {
            var configuration = context.repeatable(context.configuration())
            configuration.live = LiveSettings(
                rateControl: .averageBitRate(250_000), dataRateLimits: limits, expectedFrameRate: 30)
            let label = "\(limits)\(updates ? ", changed at frame 60" : "")"
            let run = try await context.run(
                configuration, GivenFrame.series(120, forced: [40, 80]), content: .busy,
                before: { index, session in
                    if updates, index == 60 { try await session.update { $0.averageBitRate = 280_000 } }
                })
            findings.add(run.check(findings.scenario), in: label)
            checkLimits(run, label, &findings)
            findings.expect(
                Double(run.totalBytes * 8) / 4 > 80_000, "a stream that uses a third of what it may (\(label))",
                seen: "\(run.totalBytes) bytes in 4 s")
        }
    }

    static let hardLimits = Scenario(
        "hard-limits",
        "Limits hold in every rate mode that takes them, for any content, window and clock, without a frame that is "
            + "dropped where the encoder takes quantizers.",
        settings: [.dataRateLimits], effects: [.dataRateLimits]
    ) { context, findings in
        for row in LimitRow.all where row.control.setting.map(context.has) ?? true {
            var configuration = context.configuration(row.effort)
            configuration.live = LiveSettings(
                rateControl: row.control, dataRateLimits: [row.limit], expectedFrameRate: row.expected)
            let videos = SyntheticVideo.Content.allCases.map { ScenarioContext.video(for: configuration, $0) }
            let run = try await context.run(
                configuration, row.given,
                picture: { index throws(EncoderError) in
                    let content = row.content(index)
                    guard let video = videos.first(where: { $0.content == content }) else {
                        return try videos[0].picture(at: index)
                    }
                    return try video.picture(at: index)
                })
            findings.add(run.check(findings.scenario), in: row.label)
            checkLimits(run, row.label, mayDrop: !context.capabilities.takesQuantizers, &findings)
        }
    }

    /// Looks for windows that carry more than a limit, and for frames that were dropped.
    private static func checkLimits(
        _ run: SessionRun, _ label: String, mayDrop: Bool = false, _ findings: inout Findings
    ) {
        for limit in run.configuration.live.dataRateLimits {
            let worst = worstWindow(run.frames, seconds: limit.seconds)
            findings.expect(worst <= limit.bytes, "at most \(limit) (\(label))", seen: "\(worst) bytes")
        }
        let dropped = run.frames.count { $0.dropReason == .rateControl }
        findings.expect(
            dropped == 0 || mayDrop, "no frame dropped for a limit (\(label))",
            seen: "\(dropped) of \(run.frames.count)")
    }

    /// Most bytes whose decode times fit a window that is open at its end.
    static func worstWindow(_ frames: [EncodedFrame], seconds: Double) -> Int {
        let length = MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
        var (worst, sum, start) = (0, 0, 0)
        for frame in frames {
            sum += frame.accessUnit?.data.count ?? 0
            while frame.decodeTime - frames[start].decodeTime >= length {
                sum -= frames[start].accessUnit?.data.count ?? 0
                start += 1
            }
            worst = max(worst, sum)
        }
        return worst
    }
}

/// One way to make a limit hard to keep.
private struct LimitRow: Sendable {
    let label: String
    let control: RateControl
    let limit: DataRateLimit
    var effort = ScenarioContext.Effort.least
    var given = GivenFrame.series(90)
    var expected: FrameRate?
    var content: @Sendable (Int) -> SyntheticVideo.Content = { _ in .busy }

    private static let second = DataRateLimit(bytes: 40_000, seconds: 1)

    static let all: [LimitRow] = [
        LimitRow(label: "the encoder's own rate, noise", control: .automatic, limit: second),
        LimitRow(label: "quality 0.9, noise", control: .quality(0.9), limit: second, effort: .usual),
        LimitRow(
            label: "quality 0.8, calm then busy", control: .quality(0.8), limit: second,
            content: { $0 < 45 ? .calm : .busy }),
        LimitRow(
            label: "rate factor 16, busy then calm then busy", control: .constantRateFactor(16), limit: second,
            effort: .usual, content: { $0 < 30 || $0 >= 60 ? .busy : .calm }),
        LimitRow(
            label: "rate factor 20, a cut every 7 frames", control: .constantRateFactor(20), limit: second,
            content: { [.calm, .busy, .flat][$0 / 7 % 3] }),
        LimitRow(
            label: "an average, calm then busy", control: .averageBitRate(250_000), limit: second, effort: .usual,
            content: { $0 < 60 ? .calm : .busy }),
        LimitRow(
            label: "an average, key frames forced every 5 frames", control: .averageBitRate(250_000), limit: second,
            given: GivenFrame.series(90, forced: Set(stride(from: 0, to: 90, by: 5)))),
        LimitRow(
            label: "an average, windows of 0.1 s", control: .averageBitRate(1_000_000),
            limit: DataRateLimit(bytes: 16_000, seconds: 0.1)),
        LimitRow(
            label: "an average, windows of 3 s, flat then busy", control: .averageBitRate(200_000),
            limit: DataRateLimit(bytes: 90_000, seconds: 3), given: GivenFrame.series(150),
            content: { $0 < 90 ? .flat : .busy }),
        LimitRow(
            label: "an average, ticks of a tenth", control: .averageBitRate(250_000), limit: second,
            given: GivenFrame.series(60, rate: 10)),
        LimitRow(
            label: "an average, ticks of a nanosecond", control: .averageBitRate(250_000), limit: second,
            given: (0..<90).map { GivenFrame(time: MediaTime(value: Int64($0) * 33_333_333, timescale: 1_000_000_000)) }
        ),
        LimitRow(
            label: "an average, a frame rate that changes between 15 and 60", control: .averageBitRate(250_000),
            limit: second,
            given: (0..<120).map { index in
                let (fast, slow) = (
                    Int64(index / 40 * 20 + min(index % 40, 20)), Int64(index / 40 * 20 + max(index % 40 - 20, 0))
                )
                return GivenFrame(time: MediaTime(value: fast + slow * 4, timescale: 60))
            }),
    ]
}
