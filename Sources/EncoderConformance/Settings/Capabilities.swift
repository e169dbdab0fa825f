// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let capabilities = Scenario(
        "capabilities", "The capabilities agree with themselves, and list no setting that nobody tries."
    ) { context, findings in
        let capabilities = context.capabilities
        let kept = capabilities.settings.intersection(Setting.keptBySession)
        findings.expect(
            kept.isEmpty, "only settings that an encoder keeps, not those the session keeps alone", seen: names(kept))
        let tried = Set(ConformanceSuite.scenarios.flatMap(\.effects))
        let untried = capabilities.settings.subtracting(tried).subtracting(kept)
        findings.expect(untried.isEmpty, "only settings that a scenario tries", seen: names(untried))
        let pairs: [(setting: Setting, isThere: Bool, what: String)] = [
            (.preset, !capabilities.presets.isEmpty, "presets"), (.tune, !capabilities.tunes.isEmpty, "tunes"),
            (.constantRateFactor, capabilities.constantRateFactors != nil, "constantRateFactors"),
            (.profileLevel, !capabilities.profiles.isEmpty, "profiles"),
        ]
        for pair in pairs where context.has(pair.setting) {
            findings.expect(pair.isThere, "\(pair.what), as \(pair.setting) is listed", seen: "none")
        }
        let formats = PixelFormat.layouts.filter { capabilities.bitDepths.contains($0.bitDepth) }
        let direct = Set(formats.filter(capabilities.directPixelFormats.contains).map(\.bitDepth))
        findings.expect(
            direct == Set(capabilities.bitDepths), "a direct pixel format for each of \(capabilities.bitDepths) bits",
            seen: "\(direct.sorted())")
        let ranged = capabilities.directPixelFormats.filter(\.isFullRange)
        findings.expect(
            ranged.isEmpty, "direct pixel formats that are layouts: the range is signalled",
            seen: "\(ranged.map(\.rawValue).sorted())")
        findings.expect(!capabilities.bitDepths.isEmpty, "a bit depth that is coded", seen: "none")
        findings.expect(
            !capabilities.directPixelFormats.isEmpty, "a pixel format that goes to the library as it is", seen: "none")
        let foreign = capabilities.profiles.filter { $0.codec != context.codec }
        findings.expect(foreign.isEmpty, "profiles of \(context.codec)", seen: "\(foreign.map(\.name))")
    }

    private static func names(_ settings: Set<Setting>) -> String {
        settings.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
