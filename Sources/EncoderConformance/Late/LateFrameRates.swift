// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateFrameRates = Scenario(
        "late-frame-rates",
        "An average bit rate is kept where frames come half as often after a hundred pictures, and then four times as often.",
        settings: [.averageBitRate], effects: [.averageBitRate], length: 2
    ) { context, findings in
        let target = context.small(300_000)
        var configuration = context.smallConfiguration()
        configuration.live.averageBitRate = target
        let parts: [(rate: Int32, count: Int)] = [(30, 110), (15, 120), (60, 300)]
        var given: [GivenFrame] = []
        var start = MediaTime.zero
        for (rate, count) in parts {
            let step = MediaTime(value: 60 / Int64(rate), timescale: 60)
            for _ in 0..<count {
                given.append(GivenFrame(time: start, duration: step))
                start = start + step
            }
        }
        let run = try await context.run(configuration, given, content: .busy)
        findings.add(run.check(findings.scenario), in: "")
        var end = 0
        for (rate, count) in parts {
            end += count
            // The other half of a part is for what the encoder has to learn, or to make up for.
            let seconds = Double(count / 2) / Double(rate)
            let seen = Double(run.byteCount(end - count / 2..<end) * 8) / seconds
            findings.expect(
                abs(seen / Double(target) - 1) < 0.3, "\(target) bit/s within 30 % at \(rate) frames per second",
                seen: "\(Int(seen)) bit/s")
        }
    }
}
