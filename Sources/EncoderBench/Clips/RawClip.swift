// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
package import MediaFiles

/// The layout of a file of bare samples.
package struct RawClip: Codable, Hashable, Sendable {
    package var pixelFormat: String
    package var width: Int
    package var height: Int
    /// Frames per second as the options write them; nil counts as 25.
    package var frameRate: String?

    enum CodingKeys: String, CodingKey {
        case width, height
        case pixelFormat = "pixel_format"
        case frameRate = "frame_rate"
    }
}

extension RawClip {
    /// What the reader needs; nil for values that no option has.
    package var format: RawVideoFormat? {
        guard let pixelFormat = PixelFormat(rawValue: pixelFormat) else { return nil }
        let rate = frameRate.flatMap { try? OptionParsing.frameRate($0) }
        return RawVideoFormat(pixelFormat: pixelFormat, width: width, height: height, frameRate: rate)
    }
}
