// SPDX-License-Identifier: MIT

import PictureQuality

/// What an encode gave: sizes and qualities, frame by frame, and never times.
struct PointResult: KeptResult {
    static let suffix = ".point.json"

    var work: PointWork
    var build: EncoderBuild
    /// The processor's name; for people, nothing depends on it.
    var processor: String
    /// Seconds from the first picture's time to the end of the last.
    var seconds: Double
    /// Whether the file has more frames than were used.
    var isCut: Bool
    /// What the session did otherwise than asked, a sentence each.
    var adjustments: [String]
    /// What the library's own program would be called with; nil where there is no such program.
    var command: String?
    /// Why that program cannot do the same; nil where it can, and where there is none.
    var commandObstacle: String?
    var frames: FrameTable

    enum CodingKeys: String, CodingKey {
        case work, build, processor, seconds, adjustments, command, frames
        case isCut = "cut"
        case commandObstacle = "command_obstacle"
    }

    var isWhole: Bool {
        frames.isComplete(for: work.metrics) && frames.isPlausible && frames.count <= work.frameLimit ?? .max
            && (1e-6...1e9).contains(seconds)
    }

    /// Bytes of all access units, parameter sets included.
    var byteCount: Int { frames.bytes.reduce(0, +) }
}
