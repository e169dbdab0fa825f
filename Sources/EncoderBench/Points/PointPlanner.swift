// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import Logging
import MediaFiles
package import VAAPIBackend

/// Makes points of a clip: asks the encoder, and checks every setting, without encoding anything.
package struct PointPlanner: Sendable {
    package var settings: CommonSettings
    package let input: ClipInput
    /// The device of encoders that have several.
    package var device: VADevice?
    /// What takes the metrics' values, by their names.
    package let measuredBy: [String: String]
    package let logger: Logger

    package init(
        settings: CommonSettings, input: ClipInput, device: VADevice? = nil, measuredBy: [String: String],
        logger: Logger
    ) {
        self.settings = settings
        self.input = input
        self.device = device
        self.measuredBy = measuredBy
        self.logger = logger
    }

    /// Reads a clip once, and describes it.
    ///
    /// - Throws: ``MediaFileError``, ``EncoderBenchError``; ``Interrupted``.
    package func clip(_ path: String, interruption: OneShotEvent) throws -> ClipInput.Clip {
        try input.clip(path, frameRate: settings.expectedFrameRate, interruption: interruption)
    }

    /// The encoder of a variant, on its device; of H.264 where it has several and neither names a codec.
    package func encoder(of variant: Variant, codec: VideoCodec? = nil) async throws -> EncoderDescription {
        let kind = try variant.kind
        let backend = try kind.backend(on: device(for: kind))
        return try await backend.encoder(
            naming: kind.onlyCodec ?? variant.codec.flatMap(VideoCodec.init) ?? codec ?? .h264)
    }

    /// A point, of the first clip and variant of a study until it is given other places.
    ///
    /// - Parameters:
    ///   - variant: What encodes it, with which settings.
    ///   - rate: What decides the bits.
    ///   - cap: What no second may pass; nil for no cap.
    ///   - clip: What is encoded.
    ///   - encoder: The variant's, as ``encoder(of:codec:)`` found it.
    ///   - size: What the clip's pictures are scaled to; nil for as large as they are.
    // Swift 6.3.1 crashes where it has optimized this before it splits it at its await.
    @_optimize(none)
    package func point(
        _ variant: Variant, _ rate: RateControl, cap: RateCap? = nil, of clip: ClipInput.Clip,
        on encoder: EncoderDescription, scaledTo size: PictureSize? = nil
    ) async throws -> PointSpec {
        let kind = try variant.kind
        var configuration = try configuration(variant, rate, of: clip.scaled(to: size), on: encoder)
        if let cap { configuration.live.dataRateLimits.append(cap.limit) }
        var work = PointWork(
            configuration, of: kind, on: device(for: kind), clip: clip.facts,
            forcedKeyFrames: settings.forcedKeyFrames, measuredBy: measuredBy)
        if let size, size != clip.facts.size { work.scaledFrom = try ScaledFrom(clip.facts.size) }
        // Checks all settings; nothing is opened before the session is prepared.
        _ = try await work.makeSession(logger: logger)
        return PointSpec(
            work: work, path: clip.facts.path, clip: 0, variant: 0, rate: PointRate(rate, cap: cap).label,
            isDefault: rate == .automatic, cap: cap?.bitsPerSecond)
    }

    /// The device for an encoder; nil for one that has none to choose from.
    package func device(for kind: EncoderKind) -> VADevice? { kind.makeBackendOnDevice == nil ? nil : device }

    /// The settings of a point.
    package func configuration(
        _ variant: Variant, _ rate: RateControl, of clip: ClipInput.Clip, on encoder: EncoderDescription
    ) throws -> SessionConfiguration {
        let source = input.describe(clip.info).writable(by: encoder)
        var configuration = source.configuration(codec: encoder.codec)
        settings.apply(&configuration)
        configuration.live.rateControl = rate
        // Hardware has no threads to count; a number that was asked for is refused there.
        let hasThreads = settings.isThreadCountAsked || encoder.capabilities.settings.contains(.threadCount)
        configuration.threadCount = hasThreads ? settings.threadCount : nil
        try variant.apply(to: &configuration)
        configuration.addOptions(for: source, to: try variant.kind)
        return configuration
    }
}
