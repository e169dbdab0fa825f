// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

extension Scenario {
    static let profiles = Scenario(
        "profiles",
        "The stream is of the profile asked for, or the session says of which, also with nothing but key frames.",
        settings: [.profileLevel], effects: [.profileLevel]
    ) { context, findings in
        for profile in context.capabilities.profiles {
            guard let format = context.format(bitDepth: profile.maxBitDepth) else {
                findings.note("a pixel format of \(profile.maxBitDepth) bits for \(profile.name)", seen: "none")
                continue
            }
            let asksForIntervals = context.has(.maxKeyFrameInterval) && context.circumstance == .first
            for interval in asksForIntervals ? [nil, 1] : [nil] {
                var configuration = context.configuration(.usual, format: format)
                configuration.profileLevel = ProfileLevel(profile: profile)
                configuration.live.maxKeyFrameInterval = interval
                let run = try await context.run(configuration, GivenFrame.series(6))
                let label = "\(profile.name), interval \(interval.map(String.init) ?? "of its own")"
                findings.add(run.check(findings.scenario), in: label)
                try check(run, profile, label, &findings)
            }
        }
    }

    private static func check(
        _ run: SessionRun, _ profile: Profile, _ label: String, _ findings: inout Findings
    ) throws {
        let headers = try run.headers()
        findings.expect(
            profile.isSignalled(by: headers) || run.adjusts(.profileLevel), "a stream of \(profile.name) (\(label))",
            seen: "\(headers.profileName), without an adjustment")
        findings.expect(
            headers.bitDepth == profile.maxBitDepth, "samples of \(profile.maxBitDepth) bits (\(label))",
            seen: "\(headers.bitDepth)")
        if !profile.allowsCABAC {
            findings.expect(headers.usesCABAC != true, "CAVLC in \(profile.name) (\(label))", seen: "CABAC")
        }
        if !profile.allowsFrameReordering {
            let hasB = try run.slices().contains { $0.kind == .b }
            findings.expect(!hasB, "no B slices in \(profile.name) (\(label))", seen: "some")
        }
    }

    static let levels = Scenario(
        "levels", "The stream says the level asked for, in the tier its bit rate needs; one too small is refused.",
        settings: [.profileLevel], effects: [.profileLevel]
    ) { context, findings in
        for level in [30, 50] {
            var configuration = context.configuration()
            configuration.profileLevel = ProfileLevel(level: level)
            let run = try await context.run(configuration, GivenFrame.series(3))
            findings.add(run.check(findings.scenario), in: "level \(level) in tenths")
            let headers = try run.headers()
            findings.expect(
                headers.level == level || run.adjusts(.profileLevel), "a stream of level \(level) in tenths",
                seen: "\(headers.level), without an adjustment")
        }
        // Level 1 ends at 99 macroblocks in H.264 and 36,864 luma samples in HEVC.
        var large = context.configuration(width: 640, height: 368)
        large.profileLevel = ProfileLevel(level: 10)
        do throws(EncoderError) {
            try await context.open(large)
            findings.note("640x368 at level 1.0 to be refused", seen: "an open encoder")
        } catch {
            findings.expect(
                [.conflictingSettings, .invalidValue, .unsupported].contains(error.code),
                "640x368 at level 1.0 to be refused as such", seen: "\(error.code.rawValue): \(error)")
        }
        try await checkTiers(context, &findings)
    }

    /// The Main tier of level 4 ends at 12 Mbit/s (HEVC table A.9).
    private static func checkTiers(_ context: ScenarioContext, _ findings: inout Findings) async throws {
        guard context.codec == .hevc, context.has(.averageBitRate), context.has(.dataRateLimits) else { return }
        for (rate, isHigh) in [(2_000_000, false), (16_000_000, true)] {
            var configuration = context.configuration()
            configuration.profileLevel = ProfileLevel(level: 40)
            configuration.live.averageBitRate = rate
            // So large a limit leaves half of it to the average, whatever share the encoder's buffer needs.
            configuration.live.dataRateLimits = [DataRateLimit(bytes: rate / 4, seconds: 1)]
            let run = try await context.run(configuration, GivenFrame.series(3))
            let headers = try run.headers()
            findings.expect(
                headers.isHighTier == isHigh || run.adjusts(.profileLevel),
                "the \(isHigh ? "High" : "Main") tier at \(rate) bit/s and level 4.0",
                seen: "the \(headers.isHighTier ? "High" : "Main") tier")
        }
    }

    static let levelRates = Scenario(
        "level-rates",
        "A stream of a level named carries no more than that level's bit rate and buffer allow in the modes that name no "
            + "rate, or the session says that it may.",
        settings: [.profileLevel], effects: [.profileLevel]
    ) { context, findings in
        var configuration = context.configuration()
        let rate = 15
        guard
            let level = StreamHeaders.lowestLevel(
                context.codec, PictureSize(width: configuration.width, height: configuration.height),
                framesPerSecond: Double(rate))
        else { throw NotApplicable("no level has pictures as small") }
        configuration.profileLevel = ProfileLevel(level: level)
        if context.has(.expectedFrameRate) { configuration.live.expectedFrameRate = FrameRate(numerator: rate) }
        let modes = [RateControl.automatic, .quality(0.9), .constantRateFactor(10)]
        for control in context.cases(modes, again: [.automatic])
        where control.setting.map(context.has) ?? true {
            configuration.live.rateControl = control
            let count = 4 * rate
            let run = try await context.run(configuration, GivenFrame.series(count, rate: Int32(rate)), content: .busy)
            let label = "\(control), level \(level) in tenths"
            findings.add(run.check(findings.scenario), in: label)
            guard !run.adjusts(.profileLevel), let allowed = try run.headers().levelRates else { continue }
            let most = allowed.bitsPerSecond * count / rate + allowed.bufferBits
            findings.expect(
                run.totalBytes * 8 <= most, "at most \(most) bits in \(count) frames (\(label)), or an adjustment",
                seen: "\(run.totalBytes * 8)")
        }
    }

    static let entropyMode = Scenario(
        "entropy-mode", "The picture parameter set says the entropy mode asked for.", settings: [.h264EntropyMode],
        effects: [.h264EntropyMode]
    ) { context, findings in
        for effort in context.efforts {
            for mode in H264EntropyMode.allCases {
                var configuration = context.configuration(effort)
                configuration.h264EntropyMode = mode
                let run = try await context.run(configuration, GivenFrame.series(4))
                findings.add(run.check(findings.scenario), in: "\(mode), \(effort) effort")
                let usesCABAC = try run.headers().usesCABAC
                findings.expect(
                    usesCABAC == (mode == .cabac) || run.adjusts(.h264EntropyMode), "\(mode) with \(effort) effort",
                    seen: usesCABAC == true ? "CABAC" : "CAVLC")
            }
        }
    }
}

extension Profile {
    /// Whether a stream's parameter sets name the profile.
    fileprivate func isSignalled(by headers: StreamHeaders) -> Bool {
        switch self {
        case .h264ConstrainedBaseline: headers.profileName == "Constrained Baseline"
        case .h264ConstrainedHigh: headers.profileName == "Constrained High"
        // One of the range extensions', of which Main 12 is not the intra one.
        case .hevcMain12: headers.profileIdc == indicator && !headers.isIntraProfile
        default: headers.profileIdc == indicator
        }
    }
}
