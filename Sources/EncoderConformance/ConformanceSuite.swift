// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging
@_exported public import SyntheticPictures

/// The exam every encoder takes: the behavior that applications rely on, whatever library is behind a session.
///
/// Results are data, so that tests expect no findings and a tool prints them. See <doc:TestingABackend>.
public struct ConformanceSuite: Sendable {
    private let backend: any EncoderBackend
    private let encoder: EncoderDescription
    private let decoder: (any ReferenceDecoder)?
    private let companion: ScenarioContext.Companion?
    private let nativeOption: NativeOption?
    private let patience: Double
    private let findingLimit: Int
    private let logger: Logger
    private let processState = ProcessState.now()

    /// Prepares the exam of the first encoder of a back end that has a codec.
    ///
    /// - Parameters:
    ///   - backend: The back end.
    ///   - codec: The codec.
    ///   - decoder: As for ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``.
    ///   - companion: As for ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``.
    ///   - nativeOption: As for ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``.
    ///   - patience: As for ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``.
    ///   - findingLimit: As for ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``.
    ///   - logger: As for ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``.
    /// - Throws: As ``init(backend:encoder:decoder:companion:nativeOption:patience:findingLimit:logger:)``, and
    ///   `EncoderError` with `.noEncoder` when the back end lists no encoder for the codec.
    public init(
        backend: any EncoderBackend, codec: VideoCodec, decoder: (any ReferenceDecoder)? = nil,
        companion: (any EncoderBackend)? = nil, nativeOption: NativeOption? = nil, patience: Double = 10,
        findingLimit: Int = .max, logger: Logger? = nil
    ) async throws(EncoderError) {
        try await self.init(
            backend: backend, encoder: backend.encoder(for: codec), decoder: decoder, companion: companion,
            nativeOption: nativeOption, patience: patience, findingLimit: findingLimit, logger: logger)
    }

    /// Prepares the exam of one encoder.
    ///
    /// - Parameters:
    ///   - backend: The back end.
    ///   - encoder: Which of its encoders, as it lists it.
    ///   - decoder: Decodes what it makes; scenarios that need one do not apply without.
    ///   - companion: A back end for the other codec, for the scenario of two sessions at once; nil leaves that out.
    ///   - nativeOption: An option of the library that shows in the stream of any picture, for an encoder that lists
    ///     `Setting.nativeOptions`; without one, only one that nobody has is tried.
    ///   - patience: Seconds a single call may take before it counts as hanging; in a scenario an encoder may do
    ///     nothing for six times as long, and a scenario may take sixty times as long. In the `late-` scenarios, with
    ///     large pictures and in `steady-calls` both are two to eight times that.
    ///   - findingLimit: From 1; after so many findings a scenario notes no more, and most open no further session,
    ///     which tells soon whether there is any.
    ///   - logger: Takes what sessions and the library behind them say, the warnings too that scenarios provoke; nil
    ///     for nobody.
    /// - Throws: `EncoderError` when a back end cannot list its encoders; with `.noEncoder` when `companion` has none
    ///   for the other codec.
    public init(
        backend: any EncoderBackend, encoder: EncoderDescription, decoder: (any ReferenceDecoder)? = nil,
        companion: (any EncoderBackend)? = nil, nativeOption: NativeOption? = nil, patience: Double = 10,
        findingLimit: Int = .max, logger: Logger? = nil
    ) async throws(EncoderError) {
        var other: ScenarioContext.Companion?
        if let companion {
            other = ScenarioContext.Companion(
                backend: companion,
                encoder: try await companion.encoder(for: encoder.codec == .h264 ? .hevc : .h264))
        }
        self.backend = backend
        self.encoder = encoder
        self.decoder = decoder
        self.companion = other
        self.nativeOption = nativeOption
        self.patience = patience
        self.findingLimit = findingLimit
        self.logger = logger ?? ScenarioContext.silentLogger
    }

    /// All scenarios, those first whose findings explain others.
    public static let scenarios: [Scenario] =
        plain + later.map { $0.again(.afterAnotherSize) } + deeper.map { $0.again(.inTenBits) }

    /// Each once, of eight bits.
    private static let plain: [Scenario] = [
        // Errors, and what every stream has.
        .capabilities, .listedEncoders, .badSettings, .badInput, .afterTheEnd, .flush, .timestamps,
        .parameterSetPlacement, .framing,
        .lengthOverflow, .refusedPictures,
        // Key frames and order.
        .forcedKeyFrames, .keyFrameInterval, .keyFrameIntervalDuration, .liveKeyFrameInterval, .closedGOP, .openGOP,
        .reordering,
        .noReordering, .consecutiveIDRs,
        // Time, and tasks that come, go and race.
        .frameDelay, .realTime, .realTimeDelay, .completeMidStream, .cancelledWriter, .cancelledReader,
        .racingReaders,
        .racingWriters, .invalidated, .invalidatedFinish, .droppedSession, .neverRead,
        // What the headers say.
        .profiles, .levels, .levelRates, .entropyMode, .color, .changedColor, .pixelAspectRatio,
        // Bits.
        .constantQuantizer, .smallestQuantizer, .largestQuantizer, .liveQuantizers, .constantRateFactor, .quality,
        .averageBitRate, .constantBitRate, .variableBitRate,
        .expectedFrameRate, .dataRateLimits, .hardLimits, .liveBitRate, .liveRateControl, .bitRateCeiling,
        .rateControlDrops,
        // What only the library knows.
        .presets, .tunes, .nativeOptions, .threads, .sourceFrameCount,
        // Pictures.
        .everyFrameDecodes, .meanLuma, .sizes, .pixelFormats, .changedPictures,
        .encoderPool, .dmaBufs, .twoSessions, .sessionsAtOnce,
        // The ends of what is listed.
        .extremeSizes, .fineFormats, .quantizerBounds, .slowerPresets, .largePictures,
        // What is told, and what is used.
        .averageQuantizers, .reorderDepth, .automaticLevel, .heldPictures, .leaks, .callTimes, .steadyCalls,
        .steadyMemory,
        .restingSession, .processState,
        // The same again, late in a life.
        .lateKeyFrames, .lateHeaders, .lateBitRates, .lateFrameRates, .lateLimits, .lateQuantizers,
        .lateSmallestQuantizers,
        .lateQualities, .latePictures,
    ]

    /// What an encoder for another size must not have forgotten.
    private static let later: [Scenario] = [
        .frameDelay, .realTime, .noReordering, .reordering, .keyFrameInterval, .keyFrameIntervalDuration, .closedGOP,
        .profiles, .levels, .levelRates, .entropyMode, .color, .pixelAspectRatio, .constantQuantizer,
        .constantRateFactor, .quality, .smallestQuantizer, .largestQuantizer, .constantBitRate, .expectedFrameRate,
        .dataRateLimits, .tunes,
        .nativeOptions, .threads, .averageQuantizers,
    ]

    /// What an encoder must not keep to eight bits.
    private static let deeper: [Scenario] = [
        .forcedKeyFrames, .frameDelay, .constantQuantizer, .quality, .largestQuantizer, .averageBitRate, .liveBitRate,
        .liveQuantizers, .dataRateLimits,
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
        let limit = FindingLimit(findingLimit)
        let watch = Watch(scenario: scenario.name, patience: patience, limit: limit)
        let context = ScenarioContext(
            backend: WatchedBackend(backend: backend, watch: watch), watch: watch, encoder: encoder,
            decoder: decoder, companion: companion, nativeOption: nativeOption, patience: patience, logger: logger,
            findingLimit: limit, processState: processState, circumstance: scenario.circumstance)
        do {
            let findings = try await withTimeLimit(
                context.patience * 6 * scenario.length, "the scenario", progress: watch.progress
            ) {
                var findings = Findings(scenario: scenario.name, limit: limit)
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
            // What the encoder did on the way counts all the same.
            let seen = watch.findings
            return seen.isEmpty ? .notApplicable(reason: error.reason) : .failed(seen)
        } catch {
            let hang = Finding(scenario: scenario.name, expected: "an end of the scenario", seen: "\(error)")
            return .failed(watch.findings + [hang])
        }
    }

    private func whyNotApplicable(_ scenario: Scenario) -> String? {
        let missing = scenario.settings.filter { !encoder.capabilities.settings.contains($0) }
        if !missing.isEmpty {
            return "\(encoder.displayName) has no \(missing.map(\.rawValue).joined(separator: ", "))"
        }
        if scenario.circumstance == .inTenBits, !encoder.capabilities.bitDepths.contains(10) {
            return "\(encoder.displayName) codes no ten bits"
        }
        if scenario.needsDecoder, decoder == nil { return "no decoder was given" }
        if scenario.needsCompanion, companion == nil { return "no encoder for the other codec was given" }
        return nil
    }
}
