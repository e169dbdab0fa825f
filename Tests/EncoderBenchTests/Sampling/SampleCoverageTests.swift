// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Logging
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench

/// Predictions from scenes beside encodes of the whole, of real clips one after the other.
@Suite struct SampleCoverageTests {
    private static let clips = [
        "carphone_qcif_120f.y4m", "mural_cif_60f.mkv", "webcam_cif_60f.mkv", "bbb_title_cif_48f.mkv",
        "bbb_bird_720p_48f.mkv", "jellyfish_720p_26f.mkv", "screen_ide_1268x960_49f.mkv", "cars_320x240_30f.y4m",
        "foreman_akiyo_cuts_cif_21f.y4m",
    ]
    private static let seeds = Sample.depthOfRun == .long ? 40 : 10

    /// A film of all clips in one size, as FFV1.
    private static func film(in folder: TemporaryDirectory, media: String) async throws -> String {
        let path = folder.path("film.mkv")
        let inputs = clips.flatMap { ["-i", "\(media)/clips/\($0)"] }
        let chains = clips.indices.map { "[\($0):v]scale=176:144,setsar=1,format=yuv420p,setpts=N/25/TB[c\($0)]" }
        let graph =
            chains.joined(separator: ";") + ";" + clips.indices.map { "[c\($0)]" }.joined()
            + "concat=n=\(clips.count):v=1,fps=25"
        try await ExternalProgram.ffmpeg.run(
            ["-v", "error"] + inputs + ["-filter_complex", graph, "-c:v", "ffv1", path])
        return path
    }

    /// Encodes points once each.
    private final class Encodes {
        private var tables: [PointWork: FrameTable] = [:]
        private let context: RunContext

        init(_ context: RunContext) { self.context = context }

        /// Bytes of the frames in display order, and which are key frames.
        func frames(_ point: PointSpec) async throws -> FrameTable {
            if let known = tables[point.work] { return known }
            let result = try #require(try await StreamRun().result(of: point, in: context) {})
            let frames = result.frames.sorted { $0.frame < $1.frame }
            let table = FrameTable(
                bitDepth: 8, bytes: frames.map(\.bytes), types: frames.map { $0.type ?? "" },
                isSync: frames.map(\.sync))
            tables[point.work] = table
            return table
        }

        /// Bytes of all frames.
        func size(_ point: PointSpec) async throws -> Double {
            Double(try await frames(point).bytes.reduce(0, +))
        }

        func prediction(_ sample: SceneSample, of point: PointSpec) async throws -> SamplePrediction.Total {
            let points = sample.points(of: point)
            await context.clips.expectScenes(of: points)
            var scenes: [FrameTable] = []
            for point in points { scenes.append(try await frames(point)) }
            let limit = KeyFrameLimit(of: point.work, framesPerSecond: 25)
            return try #require(sample.prediction(scenes, keyFrames: limit)).bytes
        }
    }

    @Test(
        "the interval holds the whole's size for most of many seeds, and without frames around scenes the mean is off",
        .inTurn(),
        .requiresProgram(.ffmpeg), .requiresMedia("clips"), arguments: ["x264", "x265"])
    func coverage(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await Self.film(in: folder, media: try #require(TestMedia.root))
            let planner = PointPlanner(
                settings: CommonSettings(threadCount: 1), input: ClipInput(), measuredBy: [:], logger: .silent)
            let clip = try planner.clip(path, interruption: OneShotEvent())
            let frames = try #require(try clip.facts.frameCount(interruption: OneShotEvent()))
            let variant = Variant(encoder: encoder, preset: encoder == "x264" ? "veryfast" : "superfast")
            let point = try await planner.point(
                variant, .constantRateFactor(28), of: clip, on: try await planner.encoder(of: variant))
            let encodes = Encodes(RunContext(logger: .silent))
            let whole = try await encodes.size(point)
            var (held, sum, bare, widths) = (0, 0.0, 0.0, [Double]())
            for seed in 0..<Self.seeds {
                func sample(_ margins: (lead: Int, tail: Int)) throws -> SceneSample {
                    try SceneSample(count: 8, length: 12, seed: UInt64(seed), of: frames, margins: margins)
                }
                let total = try await encodes.prediction(try sample((12, 20)), of: point)
                held += total.low <= whole && whole <= total.high ? 1 : 0
                sum += total.value
                widths.append((total.high - total.low) / whole)
                bare += try await encodes.prediction(try sample((0, 0)), of: point).value
            }
            let (mean, bareMean) = (sum / Double(Self.seeds) / whole, bare / Double(Self.seeds) / whole)
            let width = widths.sorted()[Self.seeds / 2]
            let found =
                "\(encoder): \(held) of \(Self.seeds) hold \(whole) bytes of \(frames) frames, mean \(mean), "
                + "without frames around \(bareMean), width \(width)"
            print(found)
            #expect(held >= Self.seeds * 85 / 100, "\(found)")
            #expect((0.9...1.1).contains(mean), "\(found)")
            #expect(abs(mean - 1) < abs(bareMean - 1), "\(found)")
            // An interval that holds everything would say nothing.
            #expect(width < 2, "\(found)")
        }
    }

    @Test(
        "of a film that stands still, key frames are most of the size, and scenes have none", .inTurn(),
        arguments: ["x264", "x265"])
    func still(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            var random = SeededGenerator()
            let picture = (0..<96 * 64 * 3 / 2).map { _ in UInt8.random(in: 0...255, using: &random) }
            var file = Array("YUV4MPEG2 W96 H64 F25:1\n".utf8)
            for _ in 0..<600 { file += Array("FRAME\n".utf8) + picture }
            let path = try folder.write(file, to: "still.y4m")
            let planner = PointPlanner(
                settings: CommonSettings(threadCount: 1), input: ClipInput(), measuredBy: [:], logger: .silent)
            let clip = try planner.clip(path, interruption: OneShotEvent())
            let variant = Variant(encoder: encoder, preset: "ultrafast")
            let point = try await planner.point(
                variant, .constantRateFactor(40), of: clip, on: try await planner.encoder(of: variant))
            let encodes = Encodes(RunContext(logger: .silent))
            let whole = try await encodes.size(point)
            for seed in 0..<3 {
                let sample = try SceneSample(count: 4, length: 12, seed: UInt64(seed), of: 600)
                let total = try await encodes.prediction(sample, of: point)
                // libx264 gives a key frame amid still pictures more than a first one.
                #expect((0.6...1.1).contains(total.value / whole), "\(encoder), \(seed): \(total) of \(whole)")
                #expect((total.low...total.high).contains(whole), "\(encoder), \(seed): \(total) of \(whole)")
            }
        }
    }
}
