// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let refusedPictures = Scenario(
        "refused-pictures",
        "A picture with a sample above the bit depth costs its own event only, between B pictures too; a key frame asked "
            + "for with it comes with the next."
    ) { context, findings in
        let formats = [PixelFormat.i010, .i012].filter { context.capabilities.bitDepths.contains($0.bitDepth) }
        guard let format = formats.first else { throw NotApplicable("no sample can be above a bit depth of 8") }
        guard context.capabilities.needsLegalSamples else { throw NotApplicable("any sample may be given") }
        let refused = [7, 14, 21]
        let forced: Set<Int> = context.has(.forceKeyFrame) ? [21] : []
        let configuration = context.configuration(.usual, format: format)
        let video = ScenarioContext.video(for: configuration)
        let bad = try white(format)
        let run = try await context.run(
            configuration, GivenFrame.series(30, forced: forced),
            picture: { index throws(EncoderError) in refused.contains(index) ? bad : try video.picture(at: index) })
        findings.add(run.check(findings.scenario, allowsFailures: true), in: "")
        let lost = run.frames.filter { $0.accessUnit == nil }.compactMap { $0.token as? Int }.sorted()
        findings.expect(lost == refused, "frames \(refused) dropped, and no other", seen: "\(lost)")
        for index in refused {
            guard case .failed(let error)? = run.frame(index)?.dropReason, error.code == .invalidPixelBuffer else {
                findings.note(
                    "frame \(index) dropped for its samples",
                    seen: "\(String(describing: run.frame(index)?.dropReason))")
                continue
            }
        }
        if !forced.isEmpty {
            findings.expect(
                run.frame(22)?.accessUnit?.isSync == true, "frame 22 to be the key frame that frame 21 could not be",
                seen: "key frames \(run.syncIndices)")
        }
        guard context.decoder != nil else { return }
        let decoded = try await context.decode(run.frames)
        findings.expect(decoded.count == 27, "27 decoded pictures", seen: "\(decoded.count)")
    }

    /// A picture of which every sample has all bits set, those above its depth too.
    private static func white(_ format: PixelFormat) throws(EncoderError) -> PixelBuffer {
        let (width, height) = ScenarioContext.size
        var picture = try MutablePixelBuffer(format: format, width: width, height: height)
        for plane in 0..<format.planeCount {
            picture.withMutablePlane(plane) { bytes, _ in for index in bytes.indices { bytes[index] = 0xFF } }
        }
        return PixelBuffer(picture)
    }

    static let rateControlDrops = Scenario(
        "rate-control-drops",
        "Frames that rate control drops, in real time too, cost no key frame; a key frame asked for with one comes with the "
            + "next.",
        settings: [.averageBitRate]
    ) { context, findings in
        var configuration = context.configuration()
        configuration.live.averageBitRate = 12_000
        var count = 0
        for realTime in context.has(.realTime) ? [false, true] : [false] {
            configuration.realTime = realTime
            let label = realTime ? "in real time" : "not in real time"
            count += try await checkDrops(configuration, context, label, &findings)
        }
        if count == 0, findings.all.isEmpty { throw NotApplicable("the encoder dropped no frame for its bits") }
    }

    /// Encodes more than the average allows; how many frames were dropped.
    private static func checkDrops(
        _ configuration: SessionConfiguration, _ context: ScenarioContext, _ label: String, _ findings: inout Findings
    ) async throws -> Int {
        let forced: Set<Int> = context.has(.forceKeyFrame) ? [20, 21, 40] : []
        let run = try await context.run(configuration, GivenFrame.series(90, forced: forced), content: .busy)
        let dropped = run.frames.filter { $0.dropReason == .rateControl }.compactMap { $0.token as? Int }
        findings.add(run.check(findings.scenario), in: label)
        guard !dropped.isEmpty else { return 0 }
        // The first that is encoded in the place of each.
        let due = Set(forced.union([0]).compactMap { index in (index..<90).first { !dropped.contains($0) } })
        findings.expect(
            run.syncIndices == due.sorted(),
            "key frames \(due.sorted()) and none for \(dropped.count) drops (\(label))",
            seen: "\(run.syncIndices)")
        guard context.decoder != nil else { return dropped.count }
        let decoded = try await context.decode(run.frames)
        findings.expect(
            decoded.count == 90 - dropped.count, "\(90 - dropped.count) decoded pictures (\(label))",
            seen: "\(decoded.count)")
        return dropped.count
    }
}
