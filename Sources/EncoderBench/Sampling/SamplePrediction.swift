// SPDX-License-Identifier: MIT

/// What scenes say of the whole clip that they were taken from.
package struct SamplePrediction: Codable, Equatable, Sendable {
    /// A number for the whole, with the interval that holds it in 95 of 100 cases where scenes differ as they do here.
    package struct Total: Codable, Equatable, Sendable {
        package var value: Double
        /// 0 or more.
        package var low: Double
        package var high: Double

        /// Reckons from what scenes have for each picture.
        ///
        /// Student's t takes scenes as if they were taken from anywhere; since each part of the clip has one, the
        /// interval is wide rather than narrow.
        ///
        /// - Parameters:
        ///   - rates: What each scene has for a picture; two or more.
        ///   - frames: Pictures of the whole.
        package init?(_ rates: [Double], frames: Int) {
            guard let interval = StudentT.interval(rates) else { return nil }
            let count = Double(frames)
            value = rates.reduce(0, +) / Double(rates.count) * count
            (low, high) = (max(0, interval.lowerBound * count), interval.upperBound * count)
        }
    }

    /// Scenes that were encoded.
    package var scenes: Int
    /// Pictures of each that count.
    package var sceneFrames: Int
    /// What their choice follows from.
    package var seed: UInt64
    /// Pictures of the whole clip.
    package var clipFrames: Int
    /// Bytes of the whole.
    package var bytes: Total
    /// Seconds that encoding the whole takes on this machine with the library's own threads, decoding apart; nil where
    /// that was not timed.
    package var encodeSeconds: Total?

    enum CodingKeys: String, CodingKey {
        case scenes, seed, bytes
        case sceneFrames = "scene_frames"
        case clipFrames = "clip_frames"
        case encodeSeconds = "encode_seconds"
    }
}

extension SceneSample {
    /// What sizes of the scenes say of the whole.
    ///
    /// - Parameter bytes: For each scene, those of its pictures that count.
    /// - Returns: Nil for fewer than two scenes.
    package func prediction(bytes: [Int]) -> SamplePrediction? {
        let rates = zip(bytes, scenes).map { Double($0) / Double($1.counted.count) }
        return SamplePrediction.Total(rates, frames: clipFrames).map {
            SamplePrediction(
                scenes: scenes.count, sceneFrames: length, seed: seed, clipFrames: clipFrames, bytes: $0)
        }
    }
}
