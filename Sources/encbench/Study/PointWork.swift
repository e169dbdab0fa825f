// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Logging
import MediaFiles
import PictureQuality
import VAAPIBackend

/// Everything that decides what an encode of a clip gives, and nothing else: no path of a file, no name, no time.
///
/// Settings are texts by their names in the API, so that any program can read and write them.
struct PointWork: Codable, Hashable, Sendable {
    /// Raises when the meaning of the other fields or of a result changes.
    var version = 5
    /// SHA-256 of the input file.
    var clipDigest: String
    /// Frames that are used; nil for all.
    var frameLimit: Int?
    /// How the file is to be read when it has no header; nil where it has one.
    var raw: RawClip?
    /// The encoder's name in options.
    var encoder: String
    /// The device that it uses, as options name it; nil for one that has none, or for its choice.
    var device: String?
    /// "h264" or "hevc".
    var codec: String
    var width: Int
    var height: Int
    var pixelFormat: String
    /// Values by the names of ``SettingRow``.
    var settings: [String: String]
    /// Options of the library, "name=value" or "name", in order.
    var nativeOptions: [String]
    /// Numbers of pictures, from 0 on, to make key frames.
    var forcedKeyFrames: [Int]
    /// Metrics whose values are taken, by their names, and what takes them, as ``MetricTools/maker(of:)`` says it.
    var measuredBy: [String: String]

    enum CodingKeys: String, CodingKey {
        case version, raw, encoder, device, codec, width, height, settings
        case clipDigest = "clip_sha256"
        case frameLimit = "frame_limit"
        case pixelFormat = "pixel_format"
        case nativeOptions = "native_options"
        case forcedKeyFrames = "forced_key_frames"
        case measuredBy = "measured_by"
    }

    /// The layout of a file of bare samples.
    struct RawClip: Codable, Hashable, Sendable {
        var pixelFormat: String
        var width: Int
        var height: Int
        /// Frames per second as the options write them; nil counts as 25.
        var frameRate: String?

        enum CodingKeys: String, CodingKey {
            case width, height
            case pixelFormat = "pixel_format"
            case frameRate = "frame_rate"
        }
    }
}

extension PointWork {
    /// 64 hexadecimal digits that are equal for equal work alone.
    var identity: String { get throws { SHA256.digest(try JSONDocument.canonicalBytes(self)) } }

    /// Where the result is kept: depends on what was asked and on what encodes.
    func key(with build: EncoderBuild) throws -> String {
        SHA256.digest(try JSONDocument.canonicalBytes(self) + JSONDocument.canonicalBytes(build))
    }

    /// Takes a configuration apart; framing and parameter sets are the runner's own.
    init(
        _ configuration: SessionConfiguration, of kind: EncoderKind, on device: VADevice? = nil, clip: ClipFacts,
        forcedKeyFrames: [Int], measuredBy: [String: String]
    ) {
        var settings: [String: String] = [:]
        for row in Self.rows { settings[row.setting.rawValue] = row.value(in: configuration) }
        self.init(
            clipDigest: clip.digest, frameLimit: clip.frameLimit, raw: clip.raw, encoder: kind.name,
            device: device?.description, codec: configuration.codec.rawValue, width: configuration.width,
            height: configuration.height,
            pixelFormat: configuration.pixelFormat.rawValue, settings: settings,
            nativeOptions: configuration.nativeOptions.map { option in
                option.value.map { "\(option.name)=\($0)" } ?? option.name
            }, forcedKeyFrames: forcedKeyFrames, measuredBy: measuredBy)
    }

    /// Rows that go into ``settings``; native options are listed apart, since their values may have the list's
    /// separator.
    static let rows = SettingRow.all.filter {
        $0.effect != .frame && $0.setting != .framing && $0.setting != .nativeOptions
    }

    /// What encodes it.
    var kind: EncoderKind { get throws(OptionError) { try OptionParsing.encoder(encoder) } }

    /// The back end that encodes it, on its device.
    var backend: any EncoderBackend {
        get throws(OptionError) {
            guard let device else { return try kind.makeBackend() }
            return try kind.backend(on: try OptionParsing.device(device))
        }
    }

    /// Makes a session that does this work.
    func makeSession(logger: Logger) async throws -> CompressionSession {
        let (backend, configuration) = (try backend, try configuration())
        let encoder = try await backend.encoder(naming: configuration.codec)
        return try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
    }

    /// What decides the bits, as options say it.
    var rateLabel: String { (try? configuration().live.rateControl.label) ?? "" }

    /// The metrics whose values are taken.
    var metrics: [Metric] { Metric.all.filter { measuredBy[$0.name] != nil } }

    /// The configuration of a session that does this work.
    ///
    /// - Throws: ``CommandFailure`` for values that no version of this program wrote.
    func configuration() throws -> SessionConfiguration {
        guard let format = PixelFormat(rawValue: pixelFormat), let codec = VideoCodec(rawValue: codec) else {
            throw CommandFailure("no pixel format '\(pixelFormat)' or codec '\(codec)'")
        }
        var configuration = SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: format)
        for (name, text) in settings {
            guard let row = SettingRow.named(name) else { throw CommandFailure("no setting '\(name)'") }
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
