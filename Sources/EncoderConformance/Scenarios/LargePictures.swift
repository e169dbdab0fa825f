// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let largePictures = Scenario(
        "large-pictures", "Pictures of 640x368 come out whole, each row of them, and an average bit rate is kept.",
        needsDecoder: true, length: 2
    ) { context, findings in
        let (widths, heights) = (context.capabilities.codedWidths, context.capabilities.codedHeights)
        guard widths.contains(640), heights.contains(368) else {
            throw NotApplicable("the encoder has no pictures of 640x368")
        }
        var configuration = context.configuration(width: 640, height: 368)
        let rate = 2_000_000
        let hasRate = context.has(.averageBitRate)
        if hasRate { configuration.live.averageBitRate = rate }
        let seconds = hasRate ? 2 : 1
        let run = try await context.run(configuration, GivenFrame.series(seconds * 30))
        findings.add(run.check(findings.scenario), in: "")
        if hasRate {
            let seen = run.totalBytes * 8 / seconds
            findings.expect(
                abs(Double(seen) / Double(rate) - 1) < 0.25, "\(rate) bit/s within 25 %", seen: "\(seen) bit/s")
        }
        let decoded = try await context.decode(run.frames)
        let video = ScenarioContext.video(for: configuration)
        for index in [decoded.count / 2, decoded.count - 1] where decoded.indices.contains(index) {
            let source = try video.picture(at: index)
            for band in 0..<368 / 16 {
                let error = source.meanSquaredError(to: decoded[index], rows: band * 16..<band * 16 + 16)
                findings.expect(
                    error < 163,
                    "an error below 163, 26 dB, in rows \(band * 16) to \(band * 16 + 15) of picture \(index)",
                    seen: "\(error)")
            }
        }
    }
}
