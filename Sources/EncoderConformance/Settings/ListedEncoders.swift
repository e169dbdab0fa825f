// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let listedEncoders = Scenario(
        "listed-encoders",
        "The back end lists the same encoders each time, each with an identity of its own, and opens the one it is told."
    ) { context, findings in
        let listed = try await context.backend.encoders
        let again = try await context.backend.encoders
        findings.expect(listed == again, "the same list each time: \(names(listed))", seen: names(again))
        findings.expect(
            Set(listed.map(\.id)).count == listed.count, "an identity of its own for each encoder", seen: names(listed))
        findings.expect(
            listed.contains(context.encoder), "\(context.encoder), which was listed before", seen: names(listed))
        for encoder in listed {
            do {
                try await check(encoder, context, &findings)
            } catch {
                findings.note("a stream of \(encoder.codec) from \(encoder)", seen: "\(error)")
            }
        }
    }

    /// Encodes a few frames at each bit depth: codec and depth tell most encoders of a back end apart.
    private static func check(
        _ encoder: EncoderDescription, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        for depth in encoder.capabilities.bitDepths {
            guard let format = ScenarioContext.format(bitDepth: depth, of: encoder) else { continue }
            let configuration = ScenarioContext.configuration(encoder, format: format)
            let session = try CompressionSession(
                configuration, encoder: encoder, of: context.backend, logger: context.logger)
            let video = ScenarioContext.video(for: configuration)
            let run = try await ScenarioContext.run(session, GivenFrame.series(3)) {
                index throws(EncoderError) in try video.picture(at: index)
            }
            findings.add(run.check(findings.scenario), in: "\(encoder)")
            let seen = try run.headers().bitDepth
            findings.expect(seen == depth, "samples of \(depth) bits from \(encoder)", seen: "\(seen)")
        }
    }

    private static func names(_ encoders: [EncoderDescription]) -> String {
        encoders.map(\.id.rawValue).joined(separator: ", ")
    }
}
