// SPDX-License-Identifier: MIT

package import PictureQuality

/// What an encode gave: sizes and qualities, frame by frame, and never times.
package struct PointResult: KeptResult {
    package static let suffix = ".point.json"

    package var work: PointWork
    package var build: EncoderBuild
    /// The processor's name; for people, nothing depends on it.
    package var processor: String
    /// Seconds from the first picture's time to the end of the last.
    package var seconds: Double
    /// Whether the file has more frames than were used.
    package var isCut: Bool
    /// What the session did otherwise than asked, a sentence each.
    package var adjustments: [String]
    /// What the library's own program would be called with; nil where there is no such program.
    package var command: String?
    /// Why that program cannot do the same; nil where it can, and where there is none.
    package var commandObstacle: String?
    package var frames: FrameTable

    package init(
        work: PointWork, build: EncoderBuild, processor: String, seconds: Double, isCut: Bool, adjustments: [String],
        command: String? = nil, commandObstacle: String? = nil, frames: FrameTable
    ) {
        self.work = work
        self.build = build
        self.processor = processor
        self.seconds = seconds
        self.isCut = isCut
        self.adjustments = adjustments
        self.command = command
        self.commandObstacle = commandObstacle
        self.frames = frames
    }

    enum CodingKeys: String, CodingKey {
        case work, build, processor, seconds, adjustments, command, frames
        case isCut = "cut"
        case commandObstacle = "command_obstacle"
    }

    package var isWhole: Bool {
        frames.isComplete(for: work.metrics) && frames.isPlausible && frames.count <= work.frameLimit ?? .max
            && (1e-6...1e9).contains(seconds)
    }

    /// Bytes of all access units, parameter sets included.
    package var byteCount: Int { frames.bytes.reduce(0, +) }
}
