// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let framing = Scenario(
        "framing", "Start codes and lengths of 2 and 4 bytes all carry the same NAL units."
    ) { context, findings in
        var units: [[[UInt8]]] = []
        for framing in [StreamFraming.annexB, .lengthPrefixed(bytes: 4), .lengthPrefixed(bytes: 2)] {
            var configuration = context.configuration()
            configuration.framing = framing
            let run = try await context.run(configuration, GivenFrame.series(12))
            findings.add(run.check(findings.scenario), in: "\(framing)")
            units.append(
                run.frames.compactMap(\.accessUnit).flatMap { unit in unit.nalUnits.map { Array(unit.data[$0]) } })
        }
        findings.expect(
            units.allSatisfy { $0 == units[0] }, "the same NAL units in every framing",
            seen: "\(units.map { $0.map(\.count) })")
    }

    static let parameterSetPlacement = Scenario(
        "parameter-set-placement", "Parameter sets travel in-band exactly where asked, and always in the format.",
        settings: [.maxKeyFrameInterval]
    ) { context, findings in
        for placement in ParameterSetPlacement.allCases {
            var configuration = context.configuration(.usual)
            configuration.parameterSets = placement
            configuration.live.maxKeyFrameInterval = 5
            let run = try await context.run(configuration, GivenFrame.series(12))
            findings.add(run.check(findings.scenario), in: "\(placement)")
            findings.expect(
                run.syncIndices.count > 1, "several sync frames with \(placement)", seen: "\(run.syncIndices)")
        }
    }

    static let lengthOverflow = Scenario(
        "length-overflow",
        "A NAL unit too large for its length field costs its frame, reported with the size; a key frame follows."
    ) { context, findings in
        var configuration = context.configuration()
        configuration.framing = .lengthPrefixed(bytes: 1)
        let large = 5
        let flat = ScenarioContext.video(for: configuration, .flat)
        try await skipUnlessFlatPicturesFit(context)
        let busy = ScenarioContext.video(for: configuration, .busy)
        let run = try await context.run(
            configuration, GivenFrame.series(60),
            picture: { index throws(EncoderError) in try (index == large ? busy : flat).picture(at: index) })
        checkDrop(run.frame(large), &findings)
        // The encoder may hold frames that refer to the lost one; then it starts anew.
        let next = run.frames.first { ($0.token as? Int ?? 0) > large && $0.accessUnit?.isSync == true }
        findings.expect(next != nil, "a key frame after frame \(large)", seen: "sync frames \(run.syncIndices)")
        let lost = run.frames.suffix(10).filter { $0.accessUnit == nil }
        findings.expect(lost.isEmpty, "the last ten frames encoded", seen: "\(lost.count) dropped")
        findings.add(run.check(findings.scenario, allowsFailures: true), in: "")
    }

    /// An encoder that needs more than 255 bytes for a gray picture has no frame that would fit.
    private static func skipUnlessFlatPicturesFit(_ context: ScenarioContext) async throws {
        let run = try await context.run(context.configuration(), GivenFrame.series(2), content: .flat)
        let largest = run.frames.compactMap(\.accessUnit).flatMap(\.nalUnits).map(\.count).max() ?? 0
        guard largest <= 255 else { throw NotApplicable("a gray picture takes a NAL unit of \(largest) bytes") }
    }

    private static func checkDrop(_ frame: EncodedFrame?, _ findings: inout Findings) {
        guard case .failed(let error)? = frame?.dropReason else {
            findings.note("the large frame dropped as failed", seen: "\(String(describing: frame?.outcome))")
            return
        }
        findings.expect(error.code == .nalUnitTooLarge, "an error .nalUnitTooLarge", seen: "\(error.code.rawValue)")
        let sizes = error.reason.split { !$0.isNumber }.compactMap { Int($0) }
        findings.expect(
            sizes.contains { $0 > 255 }, "the size of the NAL unit in the error's reason", seen: error.reason)
    }
}
