// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import Logging
import MediaFiles
package import PictureQuality
package import VAAPIBackend

/// Everything that decides what an encode of a clip gives, and nothing else: no path of a file, no name, no time.
///
/// Settings are texts by their names in the API, so that any program can read and write them.
package struct PointWork: Codable, Hashable, Sendable {
    /// Raises when the meaning of the other fields or of a result changes.
    package var version = 5
    /// SHA-256 of the input file.
    package var clipDigest: String
    /// The picture that is used first, counted from 0 on; nil for the first of the clip.
    package var firstFrame: Int?
    /// Frames that are used; nil for all.
    package var frameLimit: Int?
    /// How the file is to be read when it has no header; nil where it has one.
    package var raw: RawClip?
    /// The constant rate at which pictures are given in place of the file's own times, which come from it, as options
    /// write it; nil for the file's times.
    package var recognizedRate: String?
    /// The encoder's name in options.
    package var encoder: String
    /// The device that it uses, as options name it; nil for one that has none, or for its choice.
    package var device: String?
    /// "h264" or "hevc".
    package var codec: String
    package var width: Int
    package var height: Int
    package var pixelFormat: String
    /// The size that the clip's pictures have, where they are scaled to ``width`` and ``height`` for the encode, and
    /// decoded ones back to be compared; nil where they are encoded as they are.
    package var scaledFrom: ScaledFrom?
    /// Values by the names of ``SettingRow``.
    package var settings: [String: String]
    /// Options of the library, "name=value" or "name", in order.
    package var nativeOptions: [String]
    /// Numbers of pictures, from 0 on, to make key frames.
    package var forcedKeyFrames: [Int]
    /// Metrics whose values are taken, by their names, and what takes them, as ``MetricTools/maker(of:)`` says it.
    package var measuredBy: [String: String]

    package init(
        version: Int = 5, clipDigest: String, firstFrame: Int? = nil, frameLimit: Int? = nil, raw: RawClip? = nil,
        recognizedRate: String? = nil, encoder: String,
        device: String? = nil, codec: String, width: Int, height: Int, pixelFormat: String,
        scaledFrom: ScaledFrom? = nil, settings: [String: String], nativeOptions: [String], forcedKeyFrames: [Int],
        measuredBy: [String: String]
    ) {
        self.version = version
        self.clipDigest = clipDigest
        self.firstFrame = firstFrame
        self.frameLimit = frameLimit
        self.raw = raw
        self.recognizedRate = recognizedRate
        self.encoder = encoder
        self.device = device
        self.codec = codec
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.scaledFrom = scaledFrom
        self.settings = settings
        self.nativeOptions = nativeOptions
        self.forcedKeyFrames = forcedKeyFrames
        self.measuredBy = measuredBy
    }

    enum CodingKeys: String, CodingKey {
        case version, raw, encoder, device, codec, width, height, settings
        case clipDigest = "clip_sha256"
        case firstFrame = "first_frame"
        case frameLimit = "frame_limit"
        case recognizedRate = "recognized_rate"
        case pixelFormat = "pixel_format"
        case scaledFrom = "scaled_from"
        case nativeOptions = "native_options"
        case forcedKeyFrames = "forced_key_frames"
        case measuredBy = "measured_by"
    }
}

extension PointWork {
    /// 64 hexadecimal digits that are equal for equal work alone.
    package var identity: String { get throws { SHA256.digest(try JSONDocument.canonicalBytes(self)) } }

    /// Where the result is kept: depends on what was asked and on what encodes.
    package func key(with build: EncoderBuild) throws -> String {
        SHA256.digest(try JSONDocument.canonicalBytes(self) + JSONDocument.canonicalBytes(build))
    }

    /// Takes a configuration apart; framing and parameter sets are the runner's own.
    package init(
        _ configuration: SessionConfiguration, of kind: EncoderKind, on device: VADevice? = nil, clip: ClipFacts,
        forcedKeyFrames: [Int], measuredBy: [String: String]
    ) {
        var settings: [String: String] = [:]
        for row in Self.rows { settings[row.setting.rawValue] = row.value(in: configuration) }
        self.init(
            clipDigest: clip.digest, frameLimit: clip.frameLimit, raw: clip.raw,
            recognizedRate: clip.recognizedRate, encoder: kind.name,
            device: device?.description, codec: configuration.codec.rawValue, width: configuration.width,
            height: configuration.height,
            pixelFormat: configuration.pixelFormat.rawValue, settings: settings,
            nativeOptions: configuration.nativeOptions.map { option in
                option.value.map { "\(option.name)=\($0)" } ?? option.name
            }, forcedKeyFrames: forcedKeyFrames, measuredBy: measuredBy)
    }

    /// Rows that go into ``settings``; native options are listed apart, since their values may have the list's
    /// separator.
    package static let rows = SettingRow.all.filter {
        $0.effect != .frame && $0.setting != .framing && $0.setting != .nativeOptions
    }

    /// Luma samples in a row of the clip's own pictures.
    package var clipWidth: Int { scaledFrom?.width ?? width }

    /// Luma rows of the clip's own pictures.
    package var clipHeight: Int { scaledFrom?.height ?? height }

    /// What encodes it.
    package var kind: EncoderKind { get throws(OptionError) { try OptionParsing.encoder(encoder) } }

    /// The back end that encodes it, on its device.
    package var backend: any EncoderBackend {
        get throws(OptionError) {
            guard let device else { return try kind.makeBackend() }
            return try kind.backend(on: try OptionParsing.device(device))
        }
    }

    /// Makes a session that does this work.
    ///
    /// - Parameters:
    ///   - logger: Takes warnings.
    ///   - queuedBytes: What pictures that wait for the encoder may take, of which there may be two all the same, and
    ///     16 at most; nil for as many as sessions have unasked.
    /// - Returns: The session, which is not prepared.
    /// - Throws: ``EncoderError`` for what the encoder cannot do, ``EncoderBenchError`` for values that no version of
    ///   this program wrote.
    package func makeSession(logger: Logger, queuedBytes: Int? = nil) async throws -> CompressionSession {
        let backend = try backend
        var configuration = try configuration()
        if let queuedBytes, configuration.pipelineCapacity == nil {
            let bytes = configuration.pixelFormat.byteCount(width: width, height: height)
            configuration.pipelineCapacity = min(max(queuedBytes / bytes, 2), 16)
        }
        let encoder = try await backend.encoder(naming: configuration.codec)
        return try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
    }

    /// What decides the bits, as options say it.
    package var rateLabel: String { (try? configuration().live.rateControl.label) ?? "" }

    /// The metrics whose values are taken.
    package var metrics: [Metric] { Metric.all.filter { measuredBy[$0.name] != nil } }

    /// The configuration of a session that does this work.
    ///
    /// - Throws: ``EncoderBenchError`` for values that no version of this program wrote.
    package func configuration() throws -> SessionConfiguration {
        guard let format = PixelFormat(rawValue: pixelFormat), let codec = VideoCodec(rawValue: codec) else {
            throw EncoderBenchError(.invalidPlan, reason: "no pixel format '\(pixelFormat)' or codec '\(codec)'")
        }
        var configuration = SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: format)
        for (name, text) in settings {
            guard let row = SettingRow.named(name) else {
                throw EncoderBenchError(.invalidPlan, reason: "no setting '\(name)'")
            }
            try row.set(text, in: &configuration)
        }
        configuration.nativeOptions = try nativeOptions.map { option throws(OptionError) in
            try OptionParsing.nativeOption(option)
        }
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        return configuration
    }
}
