// SPDX-License-Identifier: MIT

import CommandOptions
package import PictureQuality

/// Which size to send at which bit rate.
package struct LadderReport: Codable, Equatable, Sendable {
    /// One clip.
    package struct Clip: Codable, Equatable, Sendable {
        package var name: String
        package var digest: String
        /// The source's size, at which quality is measured.
        package var width: Int
        package var height: Int
        package var frames: Int
        package var seconds: Double
        /// Encodes, curve by curve, from the largest size on, best first.
        package var points: [LadderPoint]
        /// Encodes that there is nothing of, since they failed or were not made.
        package var missing: Int
        /// The hull of each curve over its sizes, in the order of the curves.
        package var curves: [LadderHull]
        /// The hull over sizes and curves; nil where there is but one curve.
        package var best: LadderHull?
        /// The first curve against each other one.
        package var pairs: [LadderPair]
        /// What a reader must know before believing the numbers.
        package var notes: [String]

        enum CodingKeys: String, CodingKey {
            case name, width, height, frames, seconds, points, missing, curves, best, pairs, notes
            case digest = "sha256"
        }

        /// Finds the hulls of encodes.
        ///
        /// - Parameters:
        ///   - facts: What is known of the clip.
        ///   - frames: Pictures that were encoded.
        ///   - seconds: How long they last together.
        ///   - points: The encodes.
        ///   - missing: Encodes that there is nothing of.
        ///   - score: The name of the score that is the quality.
        ///   - step: How many times the bit rate of the rung below a rung has at least.
        package init(
            _ facts: ClipFacts, frames: Int, seconds: Double, points: [LadderPoint], missing: Int, score: String,
            step: Double
        ) {
            (name, digest, width, height) = (facts.name, facts.digest, facts.width, facts.height)
            (self.frames, self.seconds, self.points, self.missing) = (frames, seconds, points, missing)
            let labels = distinct(points.map(\.variant))
            let curves = labels.map { LadderHull(of: $0, points, score: score, step: step) }
            self.curves = curves
            best = labels.count > 1 ? LadderHull(of: nil, points, score: score, step: step) : nil
            pairs = curves.dropFirst().compactMap { test in
                curves.first.flatMap { LadderPair(anchor: $0, test: test, points, score: score) }
            }
            notes = LadderNotes.lines(facts, points, score: score, missing: missing)
        }
    }

    /// The version of the form that it has in files.
    package static let schemaVersion = 1

    package var schemaVersion = LadderReport.schemaVersion
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    /// The name of the score that is the quality.
    package var score: String
    /// Who takes the values of the metrics, by their names.
    package var measuredBy: [String: String]
    /// What scales pictures down to be encoded, and decoded ones back to be compared.
    package var scaledBy: String
    /// How many times the bit rate of the rung below a rung has at least.
    package var step: Double
    package var clips: [Clip]
    /// The builds that encoded.
    package var libraries: [String]
    /// What the sessions did otherwise than asked, each once.
    package var adjustments: [String]
    package var failures: [Study.Failure]
    package var isInterrupted: Bool

    enum CodingKeys: String, CodingKey {
        case encbench, score, step, clips, libraries, adjustments, failures
        case schemaVersion = "schema_version"
        case measuredBy = "measured_by"
        case scaledBy = "scaled_by"
        case isInterrupted = "interrupted"
    }

    /// Takes what the encodes gave.
    ///
    /// - Parameters:
    ///   - answers: Points of several sizes of each clip.
    ///   - score: The score that is the quality.
    ///   - measuredBy: Who takes the values of the metrics, by their names.
    ///   - scaledBy: What scales pictures.
    ///   - step: How many times the bit rate of the rung below a rung has at least.
    package init(
        _ answers: Answers<PointResult>, score: Score, measuredBy: [String: String], scaledBy: String, step: Double
    ) {
        let study = answers.study
        self.score = score.id
        self.measuredBy = measuredBy
        self.scaledBy = scaledBy
        self.step = step
        (failures, isInterrupted) = (answers.failures, answers.isInterrupted)
        clips = []
        for (index, facts) in study.clips.enumerated() {
            let found = answers.points.filter { $0.point.clip == index }
            guard let any = found.first?.result else { continue }
            if any.frames.count < Self.fewestFrames {
                failures.append(Study.Failure(clip: facts.name, reason: Self.fewFrames(any.frames.count)))
                continue
            }
            let planned = study.points(ofClip: index).count
            clips.append(
                Clip(
                    facts, frames: any.frames.count, seconds: any.seconds,
                    points: found.map { Self.point($0.point, $0.result, of: study) }, missing: planned - found.count,
                    score: score.id, step: step))
        }
        libraries = distinct(answers.points.map(\.result.build.library))
        adjustments = AdjustmentNotes(study: study, results: answers.results).lines
    }

    /// Pictures that a clip has at least: the bit rate of fewer is no rate.
    package static let fewestFrames = 2

    /// Why there is no ladder of so few pictures.
    package static func fewFrames(_ count: Int) -> String {
        "has \(Format.counted(count, "frame")), expected \(fewestFrames) or more for bit rates"
    }

    private static func point(_ spec: PointSpec, _ result: PointResult, of study: Study) -> LadderPoint {
        var scores: [String: Double?] = [:]
        for score in study.scores {
            guard let value = score.value(result.frames) else { continue }
            scores[score.id] = .some(value.isFinite ? value : nil)
        }
        let work = spec.work
        return LadderPoint(
            variant: study.variants[spec.variant].label, codec: work.codec, width: work.width, height: work.height,
            rate: work.rateLabel, bytes: result.byteCount,
            bitsPerSecond: result.seconds > 0 ? Double(result.byteCount) * 8 / result.seconds : 0, scores: scores)
    }
}

/// What a reader must know of a clip before believing its ladder.
enum LadderNotes {
    /// One sentence each.
    static func lines(_ clip: ClipFacts, _ points: [LadderPoint], score: String, missing: Int) -> [String] {
        var lines: [String] = []
        if missing > 0 {
            lines.append("\(missing) of \(points.count + missing) encodes are missing, so that the ladder may change")
        }
        let equal = points.filter { $0.scores[score] == .some(nil) }
        if !equal.isEmpty {
            let names = equal.map { "\($0.variant) \($0.size.text) \($0.rate)" }.joined(separator: ", ")
            lines.append("equal to the source, which no curve has a place for, so that no choice is of them: \(names)")
        }
        if clip.isLossy {
            let rate = clip.bitsPerSecond.map { " at " + Format.bitRate(Double($0)) } ?? ""
            lines.append(
                "the source may have been compressed with loss\(rate): encoders then spend bits on its artifacts")
        }
        return lines + clip.conversions
    }
}
