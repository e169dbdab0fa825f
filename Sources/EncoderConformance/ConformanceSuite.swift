// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging

/// The exam every encoder takes: the behaviour that applications rely on, whatever library is behind a session.
///
/// Results are data, so that tests expect no findings and a tool prints them. See <doc:TestingABackend>.
public struct ConformanceSuite: Sendable {
    private let backend: any EncoderBackend
    private let capabilities: EncoderCapabilities
    private let decoder: (any ReferenceDecoder)?
    private let companion: ScenarioContext.Companion?
    private let patience: Double
    private let logger: Logger

    /// Prepares the exam of one encoder.
    ///
    /// - Parameters:
    ///   - backend: The encoder.
    ///   - codec: Which of its codecs.
    ///   - decoder: Decodes what it makes; scenarios that need one do not apply without.
    ///   - companion: A back end for the other codec, for the scenario of two sessions at once; nil leaves that out.
    ///   - patience: Seconds a single call may take before it counts as hanging; a scenario may take six times as long.
    ///   - logger: Takes what sessions and the library behind them say, the warnings too that scenarios provoke; nil
    ///     for nobody.
    /// - Throws: `EncoderError` when a back end cannot say what it can do; with `.noEncoder` when `backend` has no encoder
    ///   for the codec, or `companion` none for another.
    public init(
        backend: any EncoderBackend, codec: VideoCodec, decoder: (any ReferenceDecoder)? = nil,
        companion: (any EncoderBackend)? = nil, patience: Double = 10, logger: Logger? = nil
    ) throws(EncoderError) {
        guard let capabilities = try backend.capabilities().first(where: { $0.codec == codec }) else {
            throw EncoderError(.noEncoder, reason: "\(backend.identifier) does not encode \(codec)")
        }
        var other: ScenarioContext.Companion?
        if let companion {
            guard let capabilities = try companion.capabilities().first(where: { $0.codec != codec }) else {
                throw EncoderError(
                    .noEncoder, reason: "\(companion.identifier) encodes no other codec than \(codec)")
            }
            other = ScenarioContext.Companion(backend: companion, capabilities: capabilities)
        }
        self.backend = backend
        self.capabilities = capabilities
        self.decoder = decoder
        self.companion = other
        self.patience = patience
        self.logger = logger ?? ScenarioContext.silentLogger
    }

    /// All scenarios, those first whose findings explain others.
    public static let scenarios: [Scenario] = [
        // Errors, and what every stream has.
        .capabilities, .badSettings, .badInput, .afterTheEnd, .flush, .timestamps, .parameterSetPlacement, .framing,
        .lengthOverflow, .refusedPictures,
        // Key frames and order.
        .forcedKeyFrames, .keyFrameInterval, .keyFrameIntervalDuration, .liveKeyFrameInterval, .closedGOP, .openGOP,
        .reordering,
        .noReordering, .consecutiveIDRs,
        // Time, and tasks that come, go and race.
        .frameDelay, .realTime, .completeMidStream, .cancelledWriter, .cancelledReader, .racingReaders, .racingWriters,
        .invalidated, .invalidatedFinish, .droppedSession, .neverRead,
        // What the headers say.
        .profiles, .levels, .entropyMode, .colour, .pixelAspectRatio,
        // Bits.
        .constantQuantizer, .smallestQuantizer, .largestQuantizer, .liveQuantizers, .constantRateFactor, .quality,
        .averageBitRate,
        .expectedFrameRate, .dataRateLimits, .hardLimits, .liveBitRate, .bitRateCeiling,
        .rateControlDrops,
        // What only the library knows.
        .presets, .tunes, .nativeOptions, .threads, .sourceFrameCount,
        // Pictures.
        .everyFrameDecodes, .meanLuma, .sizes, .pixelFormats, .twoSessions,
    ]

    /// Runs scenarios one after the other.
    ///
    /// - Parameter scenarios: Those to run.
    /// - Returns: One result for each, in the same order.
    public func run(_ scenarios: [Scenario] = Self.scenarios) async -> [ScenarioResult] {
        var results: [ScenarioResult] = []
        for scenario in scenarios { results.append(await run(scenario)) }
        return results
    }

    /// Runs one scenario; one that hangs or throws is reported as a finding.
    ///
    /// - Parameter scenario: The one to run.
    /// - Returns: What came of it.
    public func run(_ scenario: Scenario) async -> ScenarioResult {
        ScenarioResult(scenario: scenario.name, summary: scenario.summary, outcome: await outcome(of: scenario))
    }

    private func outcome(of scenario: Scenario) async -> ScenarioResult.Outcome {
        if let reason = whyNotApplicable(scenario) { return .notApplicable(reason: reason) }
        let watch = Watch(scenario: scenario.name)
        let context = ScenarioContext(
            backend: WatchedBackend(backend: backend, watch: watch), watch: watch, capabilities: capabilities,
            decoder: decoder, companion: companion, patience: patience, logger: logger)
        do {
            let findings = try await withTimeLimit(context.patience * 6, "the scenario") {
                var findings = Findings(scenario: scenario.name)
                do {
                    try await scenario.body(context, &findings)
                } catch let error as NotApplicable {
                    throw error
                } catch {
                    findings.note("no error", seen: "\(error)")
                }
                return findings
            }
            let all = watch.findings + findings.all
            return all.isEmpty ? .passed : .failed(all)
        } catch let error as NotApplicable {
            return .notApplicable(reason: error.reason)
        } catch {
            let hang = Finding(scenario: scenario.name, expected: "an end of the scenario", seen: "\(error)")
            return .failed(watch.findings + [hang])
        }
    }

    private func whyNotApplicable(_ scenario: Scenario) -> String? {
        let missing = scenario.settings.filter { !capabilities.settings.contains($0) }
        if !missing.isEmpty {
            return "\(capabilities.identifier) has no \(missing.map(\.rawValue).joined(separator: ", "))"
        }
        if scenario.needsDecoder, decoder == nil { return "no decoder was given" }
        if scenario.needsCompanion, companion == nil { return "no encoder for the other codec was given" }
        return nil
    }
}
