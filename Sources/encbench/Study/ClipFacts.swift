// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles

/// What is known of a clip before it is encoded.
struct ClipFacts: Codable, Hashable, Sendable {
    /// What reports call it.
    var name: String
    /// Where it is read from.
    var path: String
    /// SHA-256 of the file.
    var digest: String
    /// Frames that are used; nil for all.
    var frameLimit: Int?
    /// How the file is to be read when it has no header.
    var raw: PointWork.RawClip?
    var width: Int
    var height: Int
    var pixelFormat: String
    /// Frames per second as the file states them, perhaps as a mean; nil where it does not.
    var framesPerSecond: Double?
    /// Whether the format has no times of its own, so that all pictures last equally long.
    var isConstantRate: Bool
    /// Frames to come as far as the file says; it may prove wrong.
    var expectedFrames: Int?
    var isLossy: Bool
    /// Bit rate of the source's video; nil for uncompressed video and where the file does not say.
    var bitsPerSecond: Int?
    /// What is changed to give 4:2:0 pictures, a sentence each.
    var conversions: [String]

    enum CodingKeys: String, CodingKey {
        case name, path, raw, width, height, conversions
        case digest = "sha256"
        case frameLimit = "frame_limit"
        case isConstantRate = "constant_rate"
        case pixelFormat = "pixel_format"
        case framesPerSecond = "frames_per_second"
        case expectedFrames = "expected_frames"
        case isLossy = "lossy"
        case bitsPerSecond = "bits_per_second"
    }

    /// Describes a source.
    init(
        name: String, path: String, digest: String, frameLimit: Int?, raw: PointWork.RawClip?, info: VideoSourceInfo
    ) {
        self.name = name
        self.path = path
        self.digest = digest
        self.frameLimit = frameLimit
        self.raw = raw
        width = info.width
        height = info.height
        pixelFormat = info.pixelFormat.rawValue
        framesPerSecond = info.frameRate?.framesPerSecond
        isConstantRate = info.isConstantRate
        expectedFrames = info.frameCount.map { min($0, frameLimit ?? .max) }
        isLossy = info.isLossy
        bitsPerSecond = info.bitRate
        conversions = info.conversions
    }
}

extension ClipFacts {
    /// Whether the clip came through a pipe, so that only this process can read it again.
    var isCopy: Bool { path.hasPrefix(UnnamedFile.folder) }
}

extension PointWork.RawClip {
    /// What the reader needs; nil for values that no option has.
    var format: RawVideoFormat? {
        guard let pixelFormat = PixelFormat(rawValue: pixelFormat) else { return nil }
        let rate = frameRate.flatMap { try? OptionParsing.frameRate($0) }
        return RawVideoFormat(pixelFormat: pixelFormat, width: width, height: height, frameRate: rate)
    }
}

extension InputOptions {
    /// What the options say of raw video; nil for files with a header.
    func rawClip(frameRate: FrameRate?) -> PointWork.RawClip? {
        size.map { size in
            PointWork.RawClip(
                pixelFormat: (raw.format ?? .i420).rawValue, width: size.width, height: size.height,
                frameRate: frameRate.map { "\($0.numerator)/\($0.denominator)" })
        }
    }
}
