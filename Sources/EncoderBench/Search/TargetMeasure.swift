// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles
import PictureQuality

/// What one trial of a search gives of the whole clip: from an encode of all of it, or from scenes that stand for it.
struct TargetMeasure {
    /// The encode, or that of the first scene.
    let any: PointResult
    /// Frames of the encode, or those of all scenes that count.
    let frames: FrameTable
    /// Frames of each scene that count; none where all of the clip was encoded.
    let scenes: [FrameTable]
    /// Bytes of the whole.
    let bytes: Int
    let bitsPerSecond: Double
    /// How sure that is; nil where all of the clip was encoded.
    let prediction: SamplePrediction?

    /// Takes the encode of a whole clip.
    init(_ result: PointResult) {
        (any, frames, scenes, bytes, prediction) = (result, result.frames, [], result.byteCount, nil)
        bitsPerSecond = result.seconds > 0 ? Double(result.byteCount) * 8 / result.seconds : 0
    }

    /// Takes the encodes of scenes, in their order.
    ///
    /// - Throws: ``EncoderBenchError`` where pictures are missing.
    init(_ results: [PointResult], of sample: SceneSample) throws(EncoderBenchError) {
        guard let first = results.first, results.count == sample.scenes.count else {
            throw EncoderBenchError(.picturesMissing, reason: "\(results.count) of \(sample.scenes.count) scenes")
        }
        var (joined, scenes, seconds): (FrameTable?, [FrameTable], Double) = (nil, [], 0)
        for (result, scene) in zip(results, sample.scenes) {
            guard result.frames.count >= scene.places.upperBound else {
                throw EncoderBenchError(
                    .picturesMissing,
                    reason: "the clip ends at picture \(scene.encoded.lowerBound + result.frames.count), before "
                        + "\(sample.clipFrames)")
            }
            let counted = result.frames.frames(scene.places)
            seconds += result.seconds * Double(counted.count) / Double(result.frames.count)
            joined = joined?.appending(counted) ?? counted
            scenes.append(counted)
        }
        let limit = KeyFrameLimit(
            of: first.work, framesPerSecond: joined.map { seconds > 0 ? Double($0.count) / seconds : 0 })
        guard let joined, let prediction = sample.prediction(results.map(\.frames), keyFrames: limit) else {
            throw EncoderBenchError(.picturesMissing, reason: "no scenes")
        }
        (any, frames, self.scenes, self.prediction) = (first, joined, scenes, prediction)
        bytes = Int(prediction.bytes.value.rounded())
        let wholeSeconds = seconds / Double(joined.count) * Double(sample.clipFrames)
        bitsPerSecond = wholeSeconds > 0 ? prediction.bytes.value * 8 / wholeSeconds : 0
    }
}
