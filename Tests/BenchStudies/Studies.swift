// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
package import EncoderBench
import Glibc
import MediaFiles
package import PictureQuality
import Synchronization

/// Studies and results that nothing was encoded for.
package enum Studies {
    package static let build = EncoderBuild(library: "lib 1", features: "avx2")

    /// Clips of 4 frames, each encoder medium, and points at quantizers.
    package static func study(
        clips: Int = 1, encoders: [EncoderKind] = [.x264, .x265], quantizers: [Int] = [22, 27, 32, 37],
        metrics: [Metric] = Metric.usual
    ) -> Study {
        let curves = Study.paired(encoders: encoders, presets: [["medium"]])
        var study = Study(
            variants: curves.variants, pairs: curves.pairs, threadsPerEncoder: 1, metrics: metrics.map(\.name))
        let makers = Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, "version 1") })
        for clip in 0..<clips {
            var info = VideoSourceInfo(
                formatName: "gray", pixelFormat: .i420, width: 64, height: 48, frameRate: 25, timescale: 25)
            info.isConstantRate = true
            info.frameCount = 4
            study.clips.append(
                ClipFacts(
                    name: "clip\(clip).y4m", path: "/clips/\(clip)", digest: "\(clip)", frameLimit: nil, raw: nil,
                    info: info))
            for (index, kind) in encoders.enumerated() {
                for quantizer in quantizers.map(Optional.some) + [nil] {
                    var settings = ["Preset": "medium", "ThreadCount": "1"]
                    settings["ConstantQuantizer"] = quantizer.map(String.init)
                    study.points.append(
                        PointSpec(
                            work: PointWork(
                                clipDigest: "\(clip)", frameLimit: nil, raw: nil, encoder: kind.name,
                                codec: (kind.onlyCodec ?? .h264).rawValue, width: 64, height: 48, pixelFormat: "i420",
                                settings: settings, nativeOptions: [], forcedKeyFrames: [], measuredBy: makers),
                            path: "/clips/\(clip)", clip: clip, variant: index,
                            rate: quantizer.map { "qp \($0)" } ?? "default", isDefault: quantizer == nil))
                }
            }
        }
        return study
    }

    /// A result of 4 frames with so many bytes together, and PSNR of so many dB in all planes.
    package static func result(
        of point: PointSpec, bytes: Int, decibels: Double, build: EncoderBuild = build, processor: String = "CPU"
    ) -> PointResult {
        let error = decibels == .infinity ? 0 : 255 * 255 / pow(10, decibels / 10)
        let similarity = decibels == .infinity ? 1 : 1 - pow(10, -decibels / 20)
        // Errors, similarities and VMAF's points, each as good as the others.
        let columns = Dictionary(
            uniqueKeysWithValues: point.work.metrics.flatMap(\.columns).map { column in
                let isError = column.contains("mse")
                return (column, isError ? error : (column.contains("ssim") ? similarity : 100 * similarity))
            })
        return PointResult(
            work: point.work, build: build, processor: processor, seconds: 0.16, isCut: false, adjustments: [],
            command: "\(point.work.encoder) in.y4m",
            frames: FrameTable(
                bitDepth: 8, bytes: [bytes - 3, 1, 1, 1], types: ["i", "p", "b", "p"],
                isSync: [true, false, false, false], quantizers: [22, 24, 26.5, nil],
                values: columns.mapValues { [Double?](repeating: $0, count: 4) }))
    }

    /// A result whose size and quality follow from the point: x265 needs 80 % of x264's bytes.
    package static func result(of point: PointSpec) -> PointResult {
        let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
        let share = point.work.encoder == "x265" ? 0.8 : 1
        let bytes = 100_000 * share * pow(2, -quantizer / 6)
        return result(of: point, bytes: Int(bytes.rounded()), decibels: 60 - quantizer * 0.7)
    }

    /// The measurements of a whole study with those results.
    package static func measurements(_ study: Study) -> Measurements {
        var measurements = Measurements(study: study)
        for point in study.points { measurements.results[point] = result(of: point) }
        return measurements
    }
}

/// Counts the points that a runner asks for.
package final class WorkLog: Sendable {
    package init() {}

    private let done = Mutex<[PointSpec]>([])

    package var points: [PointSpec] { done.withLock { $0 } }

    package func add(_ point: PointSpec) { done.withLock { $0.append(point) } }
}

/// What a runner told.
package final class EventLog: Sendable {
    package init() {}

    private let stored = Mutex<(finished: [PointSpec], failed: [PointSpec], frames: Int)>(([], [], 0))

    package var finished: [PointSpec] { stored.withLock { $0.finished } }
    package var failed: [PointSpec] { stored.withLock { $0.failed } }
    package var frames: Int { stored.withLock { $0.frames } }

    package func take(_ event: Runner<PointResult>.Event) {
        stored.withLock { stored in
            switch event {
            case .frame: stored.frames += 1
            case .finished(let points, _): stored.finished += points
            case .failed(let points, _): stored.failed += points
            }
        }
    }
}
