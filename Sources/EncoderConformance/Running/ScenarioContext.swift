// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures
import Logging

/// The encoder under test, and what scenarios need to try it.
struct ScenarioContext: Sendable {
    /// The back end of the encoder under test, watched.
    let backend: any EncoderBackend
    /// What the encoder did at the seam to the session.
    let watch: Watch
    /// The encoder under test, as the back end lists it.
    private(set) var encoder: EncoderDescription
    let decoder: (any ReferenceDecoder)?
    /// Another encoder, for the other codec.
    let companion: Companion?
    /// An option of the library that shows in the stream of any picture.
    let nativeOption: NativeOption?
    /// Seconds a call may take before it counts as hanging.
    let patience: Double
    /// Takes messages of sessions and of the library behind them.
    let logger: Logger
    /// What ends the scenario early.
    let findingLimit: FindingLimit
    /// What the process shared before the exam.
    let processState: ProcessState
    /// What the encoder is asked in.
    let circumstance: Circumstance

    struct Companion: Sendable {
        let backend: any EncoderBackend
        let encoder: EncoderDescription
    }

    var capabilities: EncoderCapabilities { encoder.capabilities }
    var codec: VideoCodec { encoder.codec }

    /// The size of pictures in scenarios that are not about sizes: small, for speed.
    static let size = (width: 128, height: 96)

    /// The size of pictures in scenarios that weigh the bits of hundreds of frames: smaller still, where the encoder
    /// has pictures as small, upright too.
    var smallSize: (width: Int, height: Int) {
        let small = (width: 80, height: 64)
        let hasSmall = [capabilities.codedWidths, capabilities.codedHeights].allSatisfy { sides in
            sides.contains(small.width) && sides.contains(small.height)
        }
        return hasSmall ? small : Self.size
    }

    /// As many bits or bytes for pictures of ``smallSize`` as some are for pictures of ``size``, by the samples of
    /// both.
    func small(_ bits: Int) -> Int {
        bits * smallSize.width * smallSize.height / (Self.size.width * Self.size.height)
    }

    /// How much effort the encoder makes.
    enum Effort: CaseIterable {
        /// Its fastest preset: usually no B pictures and no lookahead.
        case least
        /// Its own default: usually both.
        case usual
    }

    /// The efforts that a scenario asks for: both where presets make them differ, but for circumstances that ask again
    /// what was asked with both.
    var efforts: [Effort] {
        guard has(.preset) else { return [.usual] }
        return switch circumstance {
        case .first: Effort.allCases
        case .afterAnotherSize: [.usual]
        case .inTenBits: [.least]
        }
    }

    /// All of some cases of a scenario, or a few of them in circumstances that ask again.
    func cases<Case>(_ all: [Case], again few: [Case]) -> [Case] { circumstance == .first ? all : few }

    /// A configuration for the encoder under test, of eight bits unless a format is named, or of ten where the
    /// circumstance has these.
    func configuration(
        _ effort: Effort = .least, width: Int = size.width, height: Int = size.height, format: PixelFormat? = nil
    ) -> SessionConfiguration {
        let usual = circumstance == .inTenBits ? self.format(bitDepth: 10) : nil
        return Self.configuration(encoder, effort, width: width, height: height, format: format ?? usual ?? .i420)
    }

    /// The same for pictures of ``smallSize``.
    func smallConfiguration(_ effort: Effort = .least) -> SessionConfiguration {
        configuration(effort, width: smallSize.width, height: smallSize.height)
    }

    /// A configuration with one thread, where their number is a setting: with several, what rate control does may
    /// depend on which of them comes first, as with libx264 and a buffer.
    func repeatable(_ configuration: SessionConfiguration) -> SessionConfiguration {
        var configuration = configuration
        if has(.threadCount) { configuration.threadCount = 1 }
        return configuration
    }

    /// A configuration for any encoder.
    static func configuration(
        _ encoder: EncoderDescription, _ effort: Effort = .least, width: Int = size.width,
        height: Int = size.height, format: PixelFormat = .i420
    ) -> SessionConfiguration {
        var configuration = SessionConfiguration(
            codec: encoder.codec, width: width, height: height, pixelFormat: format)
        if effort == .least, encoder.capabilities.settings.contains(.preset) {
            configuration.preset = encoder.capabilities.presets.first
        }
        return configuration
    }

    /// This context with an encoder that is told no quantizers, so that sessions drop what does not fit a limit.
    var withoutQuantizers: ScenarioContext {
        var context = self
        context.encoder.capabilities.takesQuantizers = false
        return context
    }

    /// A video that fits a configuration.
    static func video(
        for configuration: SessionConfiguration, _ content: SyntheticVideo.Content = .calm
    ) -> SyntheticVideo {
        SyntheticVideo(
            format: configuration.pixelFormat, width: configuration.width, height: configuration.height,
            content: content)
    }

    /// A session with the encoder under test.
    ///
    /// - Throws: `EncoderError` when configuration or encoder are refused; with `.cancelled` when enough was found.
    func session(_ configuration: SessionConfiguration) throws(EncoderError) -> CompressionSession {
        guard !findingLimit.isReached else { throw EncoderError(.cancelled, reason: "enough was found") }
        return try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
    }

    /// Scenarios provoke warnings on purpose; what matters is what they find.
    static let silentLogger = Logger(label: "EncoderConformance") { _ in SwiftLogNoOpLogHandler() }

    /// Opens an encoder and lets it go.
    ///
    /// - Throws: `EncoderError` when configuration or encoder are refused.
    func open(_ configuration: SessionConfiguration) async throws(EncoderError) {
        let session = try session(configuration)
        defer { session.invalidate() }
        try await session.prepare()
    }

    /// A format of a bit depth, one that the encoder takes as it is if there is one; nil where it codes no such depth.
    func format(bitDepth: Int) -> PixelFormat? { Self.format(bitDepth: bitDepth, of: encoder) }

    /// A format of a bit depth for any encoder.
    static func format(bitDepth: Int, of encoder: EncoderDescription) -> PixelFormat? {
        guard encoder.capabilities.bitDepths.contains(bitDepth) else { return nil }
        let formats = PixelFormat.layouts.filter { $0.bitDepth == bitDepth }
        return formats.first(where: encoder.capabilities.directPixelFormats.contains) ?? formats.first
    }

    /// Whether the encoder has a setting.
    func has(_ setting: Setting) -> Bool { capabilities.settings.contains(setting) }

    /// Decodes what a session gave out.
    ///
    /// - Throws: What the decoder throws, or ``MissingDecoder``.
    func decode(_ frames: [EncodedFrame]) async throws -> [PixelBuffer] {
        guard let decoder else { throw MissingDecoder() }
        return try await decoder.decode(EncodedStream(codec: codec, frames: frames))
    }

    /// A scenario that decodes must say that it needs a decoder; the suite does not run it without one.
    struct MissingDecoder: Error {}
}
