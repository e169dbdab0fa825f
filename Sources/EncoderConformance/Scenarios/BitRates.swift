// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let averageBitRate = Scenario(
        "average-bit-rate", "Hard pictures and easy ones come within 15 % of the average bit rate; none is dropped.",
        settings: [.averageBitRate], effects: [.averageBitRate]
    ) { context, findings in
        let target = context.small(300_000)
        var configuration = context.smallConfiguration()
        configuration.live.averageBitRate = target
        // Easy pictures need less than the average: an encoder that only keeps a limit would not spend it.
        for (content, seconds) in [(SyntheticVideo.Content.busy, 10), (.calm, 6)] {
            let run = try await context.run(configuration, GivenFrame.series(seconds * 30), content: content)
            findings.add(run.check(findings.scenario), in: "\(content) pictures")
            let rate = Double(run.totalBytes * 8) / Double(seconds)
            findings.expect(
                abs(rate / Double(target) - 1) < 0.15, "\(target) bit/s within 15 % with \(content) pictures",
                seen: "\(Int(rate)) bit/s")
            let dropped = run.frames.filter { $0.dropReason == .rateControl }.compactMap { $0.token as? Int }
            findings.expect(
                dropped.isEmpty, "no frame dropped at \(target) bit/s, where all fit, with \(content) pictures",
                seen: "\(dropped)")
        }
    }
}
