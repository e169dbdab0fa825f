// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Logging
import MediaFiles
import VAAPIBackend

/// Makes points of a clip: asks the encoder, and checks every setting, without encoding anything.
struct PointPlanner: Sendable {
    var options: EncoderOptions
    let inputOptions: InputOptions
    /// The device of encoders that have several.
    var device: VADevice?
    /// What takes the metrics' values, by their names.
    let measuredBy: [String: String]
    let logger: Logger

    /// A clip, and what its file says of itself.
    struct Clip: Sendable {
        var facts: ClipFacts
        var info: VideoSourceInfo
    }

    /// Reads a clip once, and describes it.
    ///
    /// - Throws: ``MediaFileError``, ``CommandFailure``; `ExitCode` when it was interrupted.
    func clip(_ path: String, isBundled: Bool, interruption: OneShotEvent) throws -> Clip {
        let input = try StudyInput(reading: path, interruption: interruption)
        let source = try inputOptions.open(input.path, frameRate: options.expectedFrameRate)
        let facts = ClipFacts(
            name: path.shown, path: input.path, digest: input.digest, frameLimit: inputOptions.frames,
            raw: inputOptions.rawClip(frameRate: options.expectedFrameRate), info: source.info)
        return Clip(facts: isBundled ? facts.asBundledClip() : facts, info: source.info)
    }

    /// The encoder of a variant, on its device; of H.264 where it has several and no codec is named.
    func encoder(of variant: Variant, codec: VideoCodec? = nil) async throws -> EncoderDescription {
        let kind = try variant.kind
        let backend = try kind.backend(on: device(for: kind))
        return try await backend.encoder(naming: kind.onlyCodec ?? codec ?? .h264)
    }

    /// A point, of the first clip and variant of a study until it is given other places.
    // Swift 6.3.1 crashes where it has optimized this before it splits it at its await.
    @_optimize(none)
    func point(
        _ variant: Variant, _ rate: RateControl, of clip: Clip, on encoder: EncoderDescription
    ) async throws -> PointSpec {
        let kind = try variant.kind
        let configuration = try configuration(variant, rate, of: clip, on: encoder)
        let work = PointWork(
            configuration, of: kind, on: device(for: kind), clip: clip.facts,
            forcedKeyFrames: options.forceKeyFrames, measuredBy: measuredBy)
        // Checks all settings; nothing is opened before the session is prepared.
        _ = try await work.makeSession(logger: logger)
        return PointSpec(
            work: work,
            path: clip.facts.path, clip: 0, variant: 0, rate: rate.label, isDefault: rate == .automatic)
    }

    /// The device for an encoder; nil for one that has none to choose from.
    func device(for kind: EncoderKind) -> VADevice? { kind.makeBackendOnDevice == nil ? nil : device }

    /// The settings of a point.
    func configuration(
        _ variant: Variant, _ rate: RateControl, of clip: Clip, on encoder: EncoderDescription
    ) throws -> SessionConfiguration {
        let source = inputOptions.describe(clip.info).writable(by: encoder)
        var configuration = options.configuration(
            codec: encoder.codec, source: source, rateControl: rate, preset: variant.preset)
        // Hardware has no threads to count; a number that was asked for is refused there.
        let hasThreads = options.threads != nil || encoder.capabilities.settings.contains(.threadCount)
        configuration.threadCount = hasThreads ? options.comparedThreadCount : nil
        try variant.apply(to: &configuration)
        configuration.addOptions(for: source, to: try variant.kind)
        return configuration
    }
}
