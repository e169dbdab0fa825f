// SPDX-License-Identifier: MIT

package import PictureQuality

/// What scenes say of the whole clip that they were taken from.
package struct SamplePrediction: Codable, Equatable, Sendable {
    /// A number for the whole, with the interval that holds it in 95 of 100 cases where scenes differ as they do here.
    package struct Total: Codable, Equatable, Sendable {
        package var value: Double
        package var low: Double
        package var high: Double

        init(value: Double, low: Double, high: Double) { (self.value, self.low, self.high) = (value, low, high) }

        /// Reckons from what scenes have for each picture.
        ///
        /// Student's t takes scenes as if they were taken from anywhere; since each part of the clip has one, the
        /// interval is wide rather than narrow.
        ///
        /// The interval's low end is 0 or more.
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
    /// The score of the whole at the setting found; nil where a scene has none, or equals its source.
    package var quality: Total?
    /// Seconds that encoding the whole takes on this machine with the library's own threads, decoding apart; nil where
    /// that was not timed.
    package var encodeSeconds: Total?

    enum CodingKeys: String, CodingKey {
        case scenes, seed, bytes, quality
        case sceneFrames = "scene_frames"
        case clipFrames = "clip_frames"
        case encodeSeconds = "encode_seconds"
    }

    /// The score of the whole: that of the scenes together, as sure as their own ones are alike.
    ///
    /// - Parameters:
    ///   - scenes: For each scene, the frames that count.
    ///   - score: What is taken of them.
    /// - Returns: Nil where a scene has no such score, or a score without an end.
    static func quality(_ scenes: [FrameTable], of score: Score) -> Total? {
        guard let first = scenes.first, let interval = StudentT.interval(scenes.map { score.value($0) ?? .nan }),
            let value = score.value(scenes.dropFirst().reduce(first) { $0.appending($1) })
        else { return nil }
        let half = (interval.upperBound - interval.lowerBound) / 2
        return Total(value: value, low: value - half, high: min(value + half, score.maximum ?? .infinity))
    }
}

extension SceneSample {
    /// What sizes of the scenes say of the whole.
    ///
    /// Key frames that the whole has because a limit is reached are reckoned apart: a scene tells with the one that it
    /// begins with what such a key frame takes.
    ///
    /// - Parameters:
    ///   - scenes: For each scene, the frames that were encoded, in display order.
    ///   - limit: When the whole has key frames.
    /// - Returns: Nil for fewer than two scenes.
    package func prediction(_ scenes: [FrameTable], keyFrames limit: KeyFrameLimit) -> SamplePrediction? {
        let sizes = zip(scenes, self.scenes).map { SceneSize($0, of: $1, limit: limit) }
        let counted = sizes.reduce(0) { $0 + $1.frames }
        let cuts = sizes.reduce(0) { $0 + $1.cuts }
        let frames = Double(clipFrames)
        // The first picture is one; without cuts the others come one after the other.
        let share = limit.share(cuts: Double(cuts) / Double(max(counted, 1)))
        let others = cuts > 0 ? share * (frames - 1) : limit.frames.map { Double((clipFrames - 1) / $0) } ?? 0
        let rates = sizes.map { $0.bytesPerFrame + $0.keyFrameBytes * (1 + others) / frames }
        guard var total = SamplePrediction.Total(rates, frames: clipFrames) else { return nil }
        if limit.frames != nil {
            // Where cuts fall decides whether there is one more or less, and libx264 gives one amid still pictures up
            // to three times the bytes of a first one.
            let keyFrame = sizes.reduce(0) { $0 + $1.keyFrameBytes } / Double(sizes.count)
            (total.low, total.high) = (max(0, total.low - keyFrame), total.high + keyFrame * (1 + 2 * others))
        }
        return SamplePrediction(
            scenes: self.scenes.count, sceneFrames: length, seed: seed, clipFrames: clipFrames, bytes: total)
    }
}

/// What a scene's frames take apart from key frames that are there for its own place in the clip.
private struct SceneSize {
    /// Frames that count.
    let frames: Int
    /// Key frames among them, and pictures that are coded by themselves.
    let cuts: Int
    let bytesPerFrame: Double
    /// What the key frame that it begins with takes more than a frame does.
    let keyFrameBytes: Double

    init(_ table: FrameTable, of scene: SceneSample.Scene, limit: KeyFrameLimit) {
        var last = 0
        var (kept, cuts) = ([Int](), 0)
        for place in 0..<scene.places.upperBound {
            let isDue = place - last >= limit.frames ?? .max
            // So soon after the scene's own key frame a cut has none; where the whole is encoded it may have one.
            let isKey = table.isSync[place] || place < table.types.count && table.types[place] == "i"
            if isKey { last = place }
            guard scene.places.contains(place) else { continue }
            // The clip's first picture, and what the limit has made a key frame here.
            if table.isSync[place] && (place == 0 || isDue) { continue }
            if isKey { cuts += 1 }
            kept.append(table.bytes[place])
        }
        if kept.isEmpty {
            // All of them are key frames, and the whole has no others.
            let bytes = table.bytes[scene.places]
            (frames, self.cuts, keyFrameBytes) = (bytes.count, 0, 0)
            bytesPerFrame = Double(bytes.reduce(0, +)) / Double(bytes.count)
            return
        }
        (frames, self.cuts) = (kept.count, cuts)
        bytesPerFrame = Double(kept.reduce(0, +)) / Double(kept.count)
        keyFrameBytes = max(0, Double(table.bytes[0]) - bytesPerFrame)
    }
}
