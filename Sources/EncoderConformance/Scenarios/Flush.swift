// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let flush = Scenario(
        "flush", "finish() brings out every frame, also of streams shorter than reordering and lookahead."
    ) { context, findings in
        for effort in context.efforts {
            for count in [0, 1, 2, 3, 10, 100] {
                let run = try await context.run(context.configuration(effort), GivenFrame.series(count))
                let encoded = run.frames.filter { $0.accessUnit != nil }.count
                findings.expect(
                    encoded == count, "\(count) encoded frames with \(effort) effort", seen: "\(encoded)")
                findings.add(run.check(findings.scenario), in: "\(count) frames, \(effort) effort")
            }
        }
    }

    static let everyFrameDecodes = Scenario(
        "every-frame-decodes", "A decoder shows as many pictures as were given, in their order.", needsDecoder: true
    ) { context, findings in
        for effort in context.efforts {
            for count in [1, 2, 120] {
                let configuration = context.configuration(effort)
                let run = try await context.run(configuration, GivenFrame.series(count))
                let decoded = try await context.decode(run.frames)
                findings.expect(
                    decoded.count == count, "\(count) decoded pictures with \(effort) effort", seen: "\(decoded.count)")
                let video = ScenarioContext.video(for: configuration)
                for (index, picture) in decoded.enumerated() {
                    let error = try video.picture(at: index).meanSquaredError(to: picture)
                    // 26 dB: far better than any other picture of the video would be.
                    findings.expect(
                        error < 160, "picture \(index) with a luma error of less than 160 (\(effort) effort)",
                        seen: "\(error)")
                }
            }
        }
    }
}
