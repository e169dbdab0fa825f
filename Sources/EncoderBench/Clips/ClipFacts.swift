// SPDX-License-Identifier: MIT

import EncoderAPI
package import MediaFiles

/// What is known of a clip before it is encoded.
package struct ClipFacts: Codable, Hashable, Sendable {
    /// What reports call it.
    package var name: String
    /// Where it is read from.
    package var path: String
    /// SHA-256 of the file.
    package var digest: String
    /// Frames that are used; nil for all.
    package var frameLimit: Int?
    /// How the file is to be read when it has no header.
    package var raw: RawClip?
    package var width: Int
    package var height: Int
    package var pixelFormat: String
    /// Frames per second as the file states them, perhaps as a mean; nil where it does not.
    package var framesPerSecond: Double?
    /// Whether all pictures last equally long: the format has no times of its own, or they come from a constant rate.
    package var isConstantRate: Bool
    /// The rate that the file's own times come from, as options write it; nil where it has none, or they come from no
    /// constant rate.
    package var recognizedRate: String?
    /// Frames to come as far as the file says; it may prove wrong.
    package var expectedFrames: Int?
    package var isLossy: Bool
    /// Bit rate of the source's video; nil for uncompressed video and where the file does not say.
    package var bitsPerSecond: Int?
    /// What is changed to give 4:2:0 pictures, a sentence each.
    package var conversions: [String]
    /// Names that the user gave clips together with others; nil for none.
    package var groups: [String]?

    enum CodingKeys: String, CodingKey {
        case name, path, raw, width, height, conversions, groups
        case digest = "sha256"
        case frameLimit = "frame_limit"
        case isConstantRate = "constant_rate"
        case recognizedRate = "recognized_rate"
        case pixelFormat = "pixel_format"
        case framesPerSecond = "frames_per_second"
        case expectedFrames = "expected_frames"
        case isLossy = "lossy"
        case bitsPerSecond = "bits_per_second"
    }

    /// Describes a source.
    package init(
        name: String, path: String, digest: String, frameLimit: Int?, raw: RawClip?, info: VideoSourceInfo
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
    package var isCopy: Bool { path.hasPrefix(UnnamedFile.folder) }
}
