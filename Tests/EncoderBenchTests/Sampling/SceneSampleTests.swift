// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct SceneSampleTests {
    private static func sample(
        _ count: Int, _ length: Int, seed: UInt64 = 1, of frames: Int
    ) throws(OptionError) -> SceneSample {
        try SceneSample(count: count, length: length, seed: seed, of: frames)
    }

    @Test("scenes are spread over the clip in their order, one in each part, with frames around them that it has")
    func spread() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let (count, length) = (
                Int.random(in: SceneSample.counts, using: &random), Int.random(in: 8...100, using: &random)
            )
            let frames =
                count * (length + SceneSample.lead + SceneSample.tail) + Int.random(in: 1...100_000, using: &random)
            let sample = try Self.sample(count, length, seed: .random(in: 0 ... .max, using: &random), of: frames)
            #expect(sample.scenes.count == count)
            let blocks = frames / length
            for (index, scene) in sample.scenes.enumerated() {
                #expect(scene.counted.count == length && scene.counted.lowerBound % length == 0)
                let part = index * blocks / count..<(index + 1) * blocks / count
                #expect(part.contains(scene.counted.lowerBound / length))
                let lead = scene.counted.lowerBound - scene.encoded.lowerBound
                let tail = scene.encoded.upperBound - scene.counted.upperBound
                #expect(lead == SceneSample.lead || scene.encoded.lowerBound == 0 && lead < SceneSample.lead)
                #expect(tail == SceneSample.tail || scene.encoded.upperBound == frames && tail < SceneSample.tail)
                #expect(scene.places == lead..<lead + length)
            }
        }
    }

    @Test("the same seed chooses the same scenes, and others choose others")
    func seeds() throws {
        let choices = try (0..<50).map { try Self.sample(6, 24, seed: UInt64($0), of: 5000) }
        for (seed, choice) in choices.enumerated() {
            #expect(try Self.sample(6, 24, seed: UInt64(seed), of: 5000) == choice)
        }
        #expect(Set(choices.map { $0.scenes.map(\.counted.lowerBound) }).count > 45)
    }

    @Test("over many seeds each frame is taken about as often as each other")
    func fair() throws {
        var counts = [Int](repeating: 0, count: 1200)
        for seed in 0..<4000 {
            for scene in try SceneSample(
                count: 3, length: 10, seed: UInt64(seed), of: 1200, margins: (lead: 2, tail: 4)
            ).scenes { for frame in scene.counted { counts[frame] += 1 } }
        }
        // 3 of 120 scenes for each of 4000 seeds: 100 times, with a deviation of 10.
        #expect(counts.allSatisfy { (50...150).contains($0) }, "\(counts.min() ?? 0) to \(counts.max() ?? 0)")
    }

    @Test("a clip of which no less would be encoded is refused with the numbers")
    func short() {
        let error = #expect(throws: OptionError.self) { try Self.sample(12, 48, of: 1200) }
        #expect(
            error?.description
                == "--sample 12: 12 scenes of 48 frames are encoded as 1200 frames with those around them, "
                + "but the clip has 1200, expected fewer scenes or frames, or no sample")
        #expect(throws: Never.self) { try Self.sample(12, 48, of: 1201) }
    }

    @Test("each scene is a point of its own, with its first frame, as many as are encoded, and a count to plan with")
    func points() throws {
        let sample = try Self.sample(3, 8, of: 500)
        var point = PointSpec(
            work: PointWork(
                clipDigest: "0", frameLimit: 500, encoder: "x264", codec: "h264", width: 64, height: 48,
                pixelFormat: "i420", settings: ["SourceFrameCount": "500"], nativeOptions: [], forcedKeyFrames: [],
                measuredBy: [:]),
            path: "/a", clip: 0, variant: 0, rate: "crf 20", isDefault: false)
        let points = sample.points(of: point)
        #expect(points.map(\.work.firstFrame) == sample.scenes.map(\.encoded.lowerBound))
        #expect(points.map(\.work.frameLimit) == sample.scenes.map(\.encoded.count))
        let forced = sample.scenes[1].encoded.lowerBound + 3
        point.work.forcedKeyFrames = [1, forced]
        #expect(sample.points(of: point)[1].work.forcedKeyFrames == [3])
        #expect(points.map { $0.work.settings["SourceFrameCount"] } == sample.scenes.map { "\($0.encoded.count)" })
        #expect(Set(points.map(\.clipIdentity)).count == 3)
        point.work.settings = [:]
        #expect(sample.points(of: point).allSatisfy { $0.work.settings.isEmpty })
    }

    @Test("a total is the mean of the scenes for each picture, with Student's interval, and never below nothing")
    func totals() throws {
        // 14 and, to either side, 3.182446 (Student's t of three degrees of freedom) times sqrt(56 / 3 / 4).
        let total = try #require(SamplePrediction.Total([10, 12, 14, 20], frames: 1000))
        #expect(total.value == 14_000)
        #expect(abs(total.low - 7125.130) < 0.01 && abs(total.high - 20_874.870) < 0.01, "\(total)")
        #expect(try #require(SamplePrediction.Total([1, 100], frames: 10)).low == 0)
        #expect(SamplePrediction.Total([5], frames: 10) == nil)
    }

    /// Frames of a stretch of a film that is encoded alone: a key frame where it starts, where the limit is reached,
    /// and at cuts, but for those nearer than 25 frames to the one before; 1000 bytes at each of them, 10 elsewhere.
    private static func encode(_ range: Range<Int>, cuts: Set<Int>, limit: Int?) -> FrameTable {
        var last = range.lowerBound
        var table = FrameTable(bitDepth: 8)
        for number in range {
            let isCut = cuts.contains(number)
            let isSync = number == range.lowerBound || number - last >= (isCut ? min(25, limit ?? 25) : limit ?? .max)
            if isSync { last = number }
            table.isSync.append(isSync)
            table.types.append(isSync || isCut ? "i" : "p")
            table.bytes.append(isSync || isCut ? 1000 : 10)
        }
        return table
    }

    private static func prediction(_ sample: SceneSample, cuts: Set<Int> = [], limit: Int?) throws -> Double {
        let scenes = sample.scenes.map { encode($0.encoded, cuts: cuts, limit: limit) }
        return try #require(sample.prediction(scenes, keyFrames: KeyFrameLimit(frames: limit))).bytes.value
    }

    @Test(
        "key frames that come because a limit is reached are reckoned for the whole, wherever scenes lie",
        arguments: [nil, 600, 250, 100, 30, 13])
    func keyFrames(limit: Int?) throws {
        let whole = Double(Self.encode(0..<600, cuts: [], limit: limit).bytes.reduce(0, +))
        for seed in 0..<50 {
            let sample = try Self.sample(4, 12, seed: UInt64(seed), of: 600)
            let total = try Self.prediction(sample, limit: limit)
            #expect(abs(total - whole) < 1e-6 * whole, "seed \(seed): \(total), not \(whole)")
        }
        let all = try Self.sample(4, 12, of: 600)
        #expect(try Self.prediction(all, limit: 1) == 600_000)
    }

    @Test("with cuts, which put the limit off, the mean over many scenes is the whole's", arguments: [40, 150, 600])
    func cuts(distance: Int) throws {
        var random = SeededGenerator()
        let frames = 60_000
        let cuts = Set((0..<frames).filter { _ in Int.random(in: 0..<distance, using: &random) == 0 })
        let whole = Double(Self.encode(0..<frames, cuts: cuts, limit: 250).bytes.reduce(0, +))
        let sample = try Self.sample(200, 200, of: frames)
        let total = try Self.prediction(sample, cuts: cuts, limit: 250)
        #expect((0.93...1.07).contains(total / whole), "\(total) of \(whole)")
    }

    @Test("the score of the whole is that of all scenes, as far from it as Student's interval of their own is wide")
    func quality() throws {
        func scene(_ similarity: Double) -> FrameTable {
            FrameTable(
                bitDepth: 8, bytes: [1, 1], types: ["i", "p"], isSync: [true, false],
                values: ["ssim_y": [similarity, similarity]])
        }
        let score = try #require(Metric.structuralSimilarity.scores.first)
        // Around 0.95, 3.182446 (three degrees of freedom) times sqrt(0.0002 / 3 / 4).
        let quality = try #require(
            SamplePrediction.quality([0.95, 0.95, 0.94, 0.96].map(scene), of: score))
        #expect(abs(quality.value - 0.95) < 1e-12)
        #expect(abs(quality.low - 0.9370078) < 1e-6 && abs(quality.high - 0.9629922) < 1e-6, "\(quality)")
        #expect(try #require(SamplePrediction.quality([0.999, 0.9].map(scene), of: score)).high == 1)
        #expect(SamplePrediction.quality([scene(0.9)], of: score) == nil)
        let equal = FrameTable(bitDepth: 8, bytes: [1], types: ["i"], isSync: [true], values: ["mse_y": [0]])
        let psnr = try #require(Metric.squaredError.scores.first)
        #expect(SamplePrediction.quality([equal, equal], of: psnr) == nil)
    }
}
