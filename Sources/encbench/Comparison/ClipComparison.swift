// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import MediaFiles

/// All encodes of one clip, one after the other, so that none disturbs the times of another.
struct ClipComparison: Sendable {
    let clip: Clip
    let encoders: [EncoderKind]
    /// Preset names: one for all encoders, or one for each.
    let presets: [[String]]
    let rates: RateListOptions
    let options: EncoderOptions
    let describe: @Sendable (VideoSourceInfo) -> SourceDescription
    let logger: Logger

    /// One encoder with one preset.
    struct Curve: Equatable, Sendable {
        var kind: EncoderKind
        var preset: String?
    }

    /// Runs everything.
    ///
    /// - Parameter progress: Called with frames encoded so far, frames in all, and what is being encoded.
    /// - Returns: The points and what follows from them.
    /// - Throws: What a measurement throws.
    func run(
        progress: @escaping @Sendable (_ done: Int, _ total: Int, _ label: String) -> Void
    ) async throws -> ComparisonReport.ClipResult {
        let groups = presets.map { Self.curves(encoders, $0) }
        let perCurve = encoders.map { rates.rates(for: $0).count + 1 }.reduce(0, +)
        let total = groups.count * perCurve * clip.frames.count
        var done = 0
        var points: [ComparisonPoint] = []
        var defaults: [ComparisonPoint] = []
        var pairs: [PairComparison] = []
        for curves in groups {
            var results: [(points: [ComparisonPoint], atDefault: ComparisonPoint)] = []
            for curve in curves {
                var measured: [ComparisonPoint] = []
                for rate in rates.rates(for: curve.kind) + [.automatic] {
                    let label = "\(curve.kind.rawValue) \(curve.preset ?? "") \(rate.label)"
                    let before = done
                    measured.append(
                        try await measure(curve, rate) { progress(before + $0, total, label) })
                    done += clip.frames.count
                }
                results.append((Array(measured.dropLast()), measured[measured.count - 1]))
            }
            points += results.flatMap(\.points)
            defaults += results.map(\.atDefault)
            for result in results.dropFirst() {
                pairs.append(
                    PairComparison(
                        anchor: results[0].points, test: result.points, anchorDefault: results[0].atDefault,
                        testDefault: result.atDefault))
            }
        }
        return result(points, defaults, pairs)
    }

    /// Gives each encoder its preset.
    static func curves(_ encoders: [EncoderKind], _ presets: [String]) -> [Curve] {
        encoders.enumerated().map { index, kind in
            // VA-API has no presets to choose from.
            Curve(kind: kind, preset: kind == .vaapi ? nil : presets[presets.count == 1 ? 0 : index])
        }
    }

    private func measure(
        _ curve: Curve, _ rate: RateControl, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ComparisonPoint {
        var source = describe(clip.info)
        source.frameCount = clip.frames.count
        let codec = curve.kind.onlyCodec ?? .h264
        var configuration = options.configuration(
            codec: codec, source: source, rateControl: rate, preset: curve.preset)
        configuration.promiseConstantRate(of: source, to: curve.kind)
        // One thread unless asked otherwise: more change what x265 writes, and hide what a frame costs.
        configuration.threadCount = options.threads ?? 1
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        let measurement = PointMeasurement(
            clip: clip, kind: curve.kind, configuration: configuration,
            forcedKeyFrames: Set(options.forceKeyFrames),
            hasProgramCommand: options.forceKeyFrames.isEmpty && options.statedFrameRate == nil
                && configuration.maxKeyFrameIntervalDuration == 0, logger: logger)
        return try await measurement.run(progress: progress)
    }

    private func result(
        _ points: [ComparisonPoint], _ defaults: [ComparisonPoint], _ pairs: [PairComparison]
    ) -> ComparisonReport.ClipResult {
        let info = clip.info
        return ComparisonReport.ClipResult(
            name: clip.name, width: info.width, height: info.height, pixelFormat: info.pixelFormat.rawValue,
            framesPerSecond: info.frameRate.isKnown ? info.frameRate.framesPerSecond : nil, frames: clip.frames.count,
            seconds: clip.seconds, isCut: clip.isCut, isLossySource: info.isLossy, sourceBitsPerSecond: info.bitRate,
            points: points, defaultPoints: defaults, pairs: pairs,
            warnings: ComparisonReport.ClipResult.warnings(clip: clip, points: points + defaults))
    }
}
