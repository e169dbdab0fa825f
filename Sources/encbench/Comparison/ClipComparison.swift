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
    /// Ends the comparison early when it happens.
    var interruption = OneShotEvent()
    let logger: Logger

    /// What came of a comparison: whatever was measured, and what ended it before its end.
    struct Outcome: Sendable {
        /// Nil when no point was measured.
        var result: ComparisonReport.ClipResult?
        /// What went wrong; nil also when the comparison was interrupted.
        var error: (any Error)?
    }

    /// One encoder with one preset.
    struct Curve: Equatable, Sendable {
        var kind: EncoderKind
        var preset: String?
    }

    /// Runs everything, or as much as there is time for.
    ///
    /// - Parameter progress: Called with frames encoded so far, frames in all, and what is being encoded.
    /// - Returns: The points, what follows from them, and the error that ended the series of points.
    func run(progress: @escaping @Sendable (_ done: Int, _ total: Int, _ label: String) -> Void) async -> Outcome {
        var measured = Measured()
        do {
            try await measure(into: &measured, progress: progress)
            return Outcome(result: result(of: measured))
        } catch {
            return Outcome(result: result(of: measured), error: error)
        }
    }

    /// The points of one encoder with one preset.
    fileprivate struct CurvePoints {
        var points: [ComparisonPoint] = []
        var atDefault: ComparisonPoint?
    }

    /// For each group of curves that are compared with each other, the points measured so far.
    fileprivate struct Measured {
        var groups: [[CurvePoints]] = []
    }

    private func measure(
        into measured: inout Measured,
        progress: @escaping @Sendable (_ done: Int, _ total: Int, _ label: String) -> Void
    ) async throws {
        let groups = presets.map { Self.curves(encoders, $0) }
        let perCurve = encoders.map { rates.rates(for: $0).count + 1 }.reduce(0, +)
        let total = groups.count * perCurve * clip.frames.count
        var done = 0
        for curves in groups {
            measured.groups.append([])
            for curve in curves {
                measured.groups[measured.groups.count - 1].append(CurvePoints())
                for rate in rates.rates(for: curve.kind) + [.automatic] {
                    let label = "\(curve.kind.name) \(curve.preset ?? "") \(rate.label)"
                    let before = done
                    guard let point = try await measure(curve, rate, progress: { progress(before + $0, total, label) })
                    else { return }
                    measured.add(point, isDefault: rate == .automatic)
                    done += clip.frames.count
                }
            }
        }
    }

    /// Gives each encoder its preset.
    static func curves(_ encoders: [EncoderKind], _ presets: [String]) -> [Curve] {
        encoders.enumerated().map { index, kind in
            Curve(kind: kind, preset: kind.hasPresets ? presets[presets.count == 1 ? 0 : index] : nil)
        }
    }

    private func measure(
        _ curve: Curve, _ rate: RateControl, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ComparisonPoint? {
        let codec = curve.kind.onlyCodec ?? .h264
        var source = describe(clip.info).writable(by: try await curve.kind.makeBackend().encoder(for: codec))
        source.frameCount = clip.frames.count
        var configuration = options.configuration(
            codec: codec, source: source, rateControl: rate, preset: curve.preset)
        configuration.promiseConstantRate(of: source, to: curve.kind)
        configuration.threadCount = options.comparedThreadCount
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        let measurement = PointMeasurement(
            clip: clip, kind: curve.kind, configuration: configuration,
            forcedKeyFrames: Set(options.forceKeyFrames),
            hasProgramCommand: options.forceKeyFrames.isEmpty && options.expectedFrameRate == nil
                && configuration.live.maxKeyFrameIntervalDuration == nil, interruption: interruption, logger: logger)
        return try await measurement.run(progress: progress)
    }

    private func result(of measured: Measured) -> ComparisonReport.ClipResult? {
        let curves = measured.groups.flatMap { $0 }
        let (points, defaults) = (curves.flatMap(\.points), curves.compactMap(\.atDefault))
        guard !points.isEmpty || !defaults.isEmpty else { return nil }
        let pairs = measured.groups.flatMap { group in
            group.dropFirst().map { test in
                PairComparison(
                    anchor: group[0].points, test: test.points, anchorDefault: group[0].atDefault,
                    testDefault: test.atDefault)
            }
        }
        let info = clip.info
        return ComparisonReport.ClipResult(
            name: clip.name, width: info.width, height: info.height, pixelFormat: info.pixelFormat.rawValue,
            framesPerSecond: info.frameRate?.framesPerSecond, frames: clip.frames.count,
            seconds: clip.seconds, isCut: clip.isCut, isLossySource: info.isLossy, sourceBitsPerSecond: info.bitRate,
            points: points, defaultPoints: defaults, pairs: pairs,
            warnings: ComparisonReport.ClipResult.warnings(clip: clip, points: points + defaults))
    }
}

extension ClipComparison.Measured {
    fileprivate mutating func add(_ point: ComparisonPoint, isDefault: Bool) {
        let group = groups.count - 1
        let curve = groups[group].count - 1
        if isDefault {
            groups[group][curve].atDefault = point
        } else {
            groups[group][curve].points.append(point)
        }
    }
}
