// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
import SyntheticPictures

/// Scenes that stand for a long clip: as many from each part of it, each encoded alone.
///
/// The clip is divided into scenes of equal length, and these into as many parts as scenes are taken; one of each part
/// is taken at random, so that every scene has about the same chance. An encoder begins with a key frame, and near the
/// end plans with fewer pictures than in the middle of a film: some pictures before and after each scene are encoded
/// with it, and do not count.
package struct SceneSample: Equatable, Sendable {
    /// One scene.
    package struct Scene: Equatable, Sendable {
        /// Numbers of the pictures that are encoded.
        package var encoded: Range<Int>
        /// Numbers of those that count.
        package var counted: Range<Int>

        /// Places of the pictures that count among those that are encoded.
        package var places: Range<Int> {
            counted.lowerBound - encoded.lowerBound..<counted.upperBound - encoded.lowerBound
        }
    }

    /// Scenes that there may be.
    package static let counts = 3...200
    /// Pictures that a scene may have.
    package static let lengths = 8...10_000
    /// Pictures before a scene: the key frame, and those whose bits it changes.
    package static let lead = 12
    /// Pictures after a scene: as many as libx264 plans with.
    package static let tail = 40

    /// Pictures of the clip.
    package let clipFrames: Int
    /// Pictures of a scene that count.
    package let length: Int
    /// What the choice follows from.
    package let seed: UInt64
    /// In their order.
    package let scenes: [Scene]

    /// Chooses scenes.
    ///
    /// - Parameters:
    ///   - count: How many; one of ``counts``.
    ///   - length: Pictures of each that count; one of ``lengths``.
    ///   - seed: What the choice follows from: the same scenes for the same seed.
    ///   - clipFrames: Pictures of the clip.
    ///   - margins: Pictures that are encoded before and after each scene.
    /// - Throws: ``OptionError`` for a clip of which no less would be encoded than all of it.
    package init(
        count: Int, length: Int, seed: UInt64, of clipFrames: Int,
        margins: (lead: Int, tail: Int) = (SceneSample.lead, SceneSample.tail)
    ) throws(OptionError) {
        let encoded = count * (length + margins.lead + margins.tail)
        let blocks = clipFrames / length
        guard encoded < clipFrames, count <= blocks else {
            throw OptionError(
                .outOfRange,
                "--sample \(count): \(count) scenes of \(length) frames are encoded as \(encoded) frames with those around "
                    + "them, but the clip has \(clipFrames), expected fewer scenes or frames, or no sample")
        }
        var generator = SplitMix64(state: seed)
        scenes = (0..<count).map { index in
            let part = index * blocks / count..<(index + 1) * blocks / count
            let start = Int.random(in: part, using: &generator) * length
            let counted = start..<start + length
            return Scene(
                encoded: max(0, start - margins.lead)..<min(clipFrames, counted.upperBound + margins.tail),
                counted: counted)
        }
        self.clipFrames = clipFrames
        self.length = length
        self.seed = seed
    }

    /// The point once for each scene.
    package func points(of point: PointSpec) -> [PointSpec] {
        scenes.map { scene in
            var point = point
            point.work.firstFrame = scene.encoded.lowerBound
            point.work.frameLimit = scene.encoded.count
            point.work.forcedKeyFrames = point.work.forcedKeyFrames.filter(scene.encoded.contains).map {
                $0 - scene.encoded.lowerBound
            }
            // An encoder plans with what it is given.
            let count = Setting.sourceFrameCount.rawValue
            if point.work.settings[count] != nil { point.work.settings[count] = "\(scene.encoded.count)" }
            return point
        }
    }
}
