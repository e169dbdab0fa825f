// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureQuality

// From measurements to a report: points, curves, and what follows from them, with nothing but its input.
extension Measurements {
    /// The report on what there is.
    package func report(isInterrupted: Bool) -> ComparisonReport {
        let clips = study.clips.indices.compactMap(clip)
        let used = study.points.compactMap { results[$0] }
        let notes = AdjustmentNotes(study: study, results: results)
        var report = ComparisonReport(
            processors: Set(used.map(\.processor)).subtracting([""]).sorted(),
            libraries: distinct(used.map(\.build.library)),
            threadsPerEncoder: study.threadsPerEncoder, metrics: metrics, clips: clips, overall: overall(clips),
            groups: clips.grouped.map {
                ComparisonReport.Group(
                    name: $0.name, isNamed: $0.isNamed, clips: $0.clips.map(\.name), answers: overall($0.clips))
            },
            verdict: Verdict(
                pairs: codecPairs, clips: clips, clipsCompared: study.clips.count, score: study.scores.compared.first),
            notes: notes.definitions + notes.lines, failures: allFailures,
            isInterrupted: isInterrupted)
        let labels = study.pairs.map { (anchor: study.variants[$0.anchor].label, test: study.variants[$0.test].label) }
        if let score = study.scores.compared.first { report.pairTests = clips.tests(of: labels, score: score.id) }
        return report
    }

    /// Pairs in which one codec is held against the other: the curve of H.264 first, whichever is the anchor.
    private var codecPairs: [(h264: String, h265: String)] {
        func codec(_ variant: Int) -> String? {
            let codecs = Set(study.points.filter { $0.variant == variant }.map(\.work.codec))
            return codecs.count == 1 ? codecs.first : nil
        }
        let (avc, hevc) = (VideoCodec.h264.rawValue, VideoCodec.hevc.rawValue)
        return study.pairs.compactMap { pair -> (h264: String, h265: String)? in
            let labels = (study.variants[pair.anchor].label, study.variants[pair.test].label)
            switch (codec(pair.anchor), codec(pair.test)) {
            case (avc, hevc): return labels
            case (hevc, avc): return (labels.1, labels.0)
            default: return nil
            }
        }
    }

    private var metrics: [ComparisonReport.Measure] {
        study.metrics.map { name in
            ComparisonReport.Measure(name: name, measuredBy: study.points.first?.work.measuredBy[name] ?? "")
        }
    }

    /// One clip with the points there are; nil where there are none.
    package func clip(_ index: Int) -> ComparisonReport.Clip? {
        let specs = study.points(ofClip: index)
        let found = specs.compactMap { results[$0] }
        guard let any = found.first else { return nil }
        let facts = study.clips[index]
        let points = specs.compactMap(point)
        let obstacles = distinct(found.compactMap { $0.programObstacle(of: facts) })
        let curves = study.variants.enumerated().map { variant, value in
            let planned = specs.filter { $0.variant == variant }
            return PairComparison.Curve(
                label: value.label, points: planned.compactMap(point), planned: planned.count { !$0.isDefault })
        }
        let pairs = study.pairs.filter { !curves[$0.anchor].points.isEmpty && !curves[$0.test].points.isEmpty }
        return ComparisonReport.Clip(
            name: facts.name, digest: facts.digest, groups: facts.groups ?? [], width: facts.width,
            height: facts.height,
            pixelFormat: facts.pixelFormat, framesPerSecond: Self.rate(facts, any),
            frames: any.frames.count, seconds: any.seconds, isCut: any.isCut, isLossySource: facts.isLossy,
            sourceBitsPerSecond: facts.bitsPerSecond, points: points,
            pairs: pairs.map {
                PairComparison(
                    anchor: curves[$0.anchor], test: curves[$0.test], scores: study.scores.compared,
                    framesPerSecond: any.seconds > 0 ? Double(any.frames.count) / any.seconds : 25)
            },
            notes: ClipNotes.lines(facts, points),
            programObstacle: obstacles.isEmpty ? nil : obstacles.joined(separator: "; "))
    }

    /// The rate of the frames that were used.
    ///
    /// Where the file states it truly, the result's length follows from it (``PictureSpan``), and it is what the file
    /// states.
    private static func rate(_ facts: ClipFacts, _ result: PointResult) -> Double? {
        guard result.seconds > 0 else { return facts.framesPerSecond }
        let measured = Double(result.frames.count) / result.seconds
        return facts.framesPerSecond.flatMap { abs(measured / $0 - 1) < 1e-9 ? $0 : nil } ?? measured
    }

    private func point(_ spec: PointSpec) -> ComparisonReport.Point? {
        guard let result = results[spec] else { return nil }
        let variant = study.variants[spec.variant]
        var scores: [String: Double?] = [:]
        for score in study.scores {
            guard let value = score.value(result.frames) else { continue }
            scores[score.id] = .some(value.isFinite ? value : nil)
        }
        return ComparisonReport.Point(
            variant: variant.label, encoder: variant.encoder, codec: spec.work.codec,
            library: result.build.library, preset: variant.preset,
            tune: variant.tune, settings: variant.settings, rate: spec.rate, isDefault: spec.isDefault,
            cap: spec.cap, bytes: result.byteCount,
            bitsPerSecond: result.seconds > 0 ? Double(result.byteCount) * 8 / result.seconds : 0, scores: scores,
            adjustments: result.adjustments, command: result.programCommand(of: study.clips[spec.clip]),
            frames: result.frames)
    }

    private func overall(_ clips: [ComparisonReport.Clip]) -> [ComparisonReport.Overall] {
        study.pairs.flatMap { pair in
            let (anchor, test) = (study.variants[pair.anchor].label, study.variants[pair.test].label)
            let pairs = clips.flatMap(\.pairs).filter { $0.anchor == anchor && $0.test == test }
            return study.scores.compared.compactMap { score in
                let ratios = pairs.compactMap { pair in
                    pair.equalQuality.first { $0.score == score.id }.map { 1 + $0.pchip }
                }
                let interval = PairComparison.interval(ratios)
                return PairComparison.geometricMean(ratios).map {
                    ComparisonReport.Overall(
                        anchor: anchor, test: test, score: score.id, rateChange: $0 - 1,
                        low: interval.map { $0.lowerBound - 1 }, high: interval.map { $0.upperBound - 1 },
                        clips: ratios.count)
                }
            }
        }
    }

    /// What could not be planned, then a line for each clip or point that failed; one where a clip failed as a whole.
    private var allFailures: [Study.Failure] {
        var lines = study.failures
        for clip in study.clips.indices {
            let specs = study.points(ofClip: clip)
            let reasons = specs.compactMap { failures[$0] }
            if reasons.count > 1, reasons.count == specs.count, Set(reasons).count == 1 {
                lines.append(Study.Failure(clip: study.clips[clip].name, point: nil, reason: reasons[0]))
                continue
            }
            for spec in specs {
                guard let reason = failures[spec] else { continue }
                let point = "\(study.variants[spec.variant].label), \(spec.rate)"
                lines.append(Study.Failure(clip: study.clips[clip].name, point: point, reason: reason))
            }
        }
        return lines
    }
}
