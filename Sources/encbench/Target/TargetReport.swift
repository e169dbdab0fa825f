// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality

/// What a search for a quality found.
struct TargetReport: Codable, Equatable, Sendable {
    /// One encode of the search.
    struct Trial: Codable, Equatable, Sendable {
        /// What decided the bits, as options say it: "crf 23.25".
        var rate: String
        var score: Double?
        var bytes: Int
        var bitsPerSecond: Double

        enum CodingKeys: String, CodingKey {
            case rate, score, bytes
            case bitsPerSecond = "bits_per_second"
        }
    }

    /// What was found for one encoder.
    struct Answer: Codable, Equatable, Sendable {
        /// Its label: "x264 medium".
        var variant: String
        var library: String
        /// Frames of the clip that were used.
        var frames: Int
        /// From one setting to the next: "steps of 0.25".
        var step: String
        /// Whether the goal was reached.
        var isReached: Bool
        /// The cheapest setting that reaches the goal, or the best there is where none does.
        var found: Trial
        /// The next cheaper setting, which does not reach the goal; nil where there is none.
        var next: Trial?
        /// Everything that was encoded or found in the store, in its order.
        var trials: [Trial]
        /// What encodes so with this program.
        var command: String
        /// The command of the library's own program; nil where none does.
        var programCommand: String?
        /// Why that program would encode otherwise; nil where it does not, and where there is no such program.
        var programObstacle: String?
        /// What the session did otherwise than asked.
        var adjustments: [String]

        enum CodingKeys: String, CodingKey {
            case variant, library, frames, step, found, next, trials, command, adjustments
            case isReached = "reached"
            case programCommand = "program_command"
            case programObstacle = "program_obstacle"
        }
    }

    /// What an interrupted search had tried with one encoder.
    struct Unfinished: Codable, Equatable, Sendable {
        /// Its label.
        var variant: String
        var trials: [Trial]
    }

    var schemaVersion = 1
    /// The version of this program.
    var encbench = VersionText.package
    var clip: String
    var digest: String
    /// The metric, its score that counts, and what took its values.
    var metric: String
    var score: String
    var measuredBy: String
    /// What was to be reached.
    var goal: Double
    var answers: [Answer]
    /// Encoders without an answer, and why.
    var failures: [Study.Failure]
    /// Encoders that an interruption left without an answer.
    var unfinished: [Unfinished] = []
    /// Whether the search was interrupted.
    var isInterrupted = false

    enum CodingKeys: String, CodingKey {
        case encbench, clip, metric, score, goal, answers, failures, unfinished
        case isInterrupted = "interrupted"
        case schemaVersion = "schema_version"
        case digest = "sha256"
        case measuredBy = "measured_by"
    }
}

extension TargetReport: TextReport {
    /// The report for people.
    func text(width: Int?) -> String {
        guard let score = Score.named(score) else { return "" }
        let frames = answers.first.map { ", \($0.frames) frames" } ?? ""
        var text = "\(clip)\(frames): \(score.goalText(goal)) or more\n\n"
        var table = TextTable([
            .words("encoder"), .words("tried"), .number("bytes"), .number("bit/s"), .number(score.heading),
        ])
        let tried = answers.map { ($0.variant, $0.trials) } + unfinished.map { ($0.variant, $0.trials) }
        for (variant, trials) in tried {
            for trial in trials {
                table.add([
                    variant, trial.rate, Format.grouped(trial.bytes),
                    Format.grouped(Int(trial.bitsPerSecond.rounded())), trial.text(score, goal: goal),
                ])
            }
        }
        if tried.contains(where: { !$0.1.isEmpty }) { text += table.text(width: width) + "\n" }
        for answer in answers {
            let (found, value) = (answer.found, answer.found.text(score, goal: goal))
            if answer.isReached {
                text += "\(answer.variant) reaches it at \(found.rate) (\(answer.step)): \(value), "
                text += "\(Format.bitRate(found.bitsPerSecond)), \(Format.grouped(found.bytes)) bytes"
                if let next = answer.next {
                    text += "; \(next.rate) has \(next.text(score, goal: goal)).\n"
                } else {
                    text += "; there is no cheaper setting.\n"
                }
            } else {
                let worst = answer.trials.min { $0.score ?? .infinity < $1.score ?? .infinity } ?? found
                let unit = score.unit.map { " " + $0 } ?? ""
                text += "\(answer.variant) does not reach it: the best is \(value) at \(found.rate); "
                text += "tried from \(worst.text(score, goal: goal)) to \(value)\(unit).\n"
            }
            text += TextFold.command(answer.command, width: width) + "\n"
            if let command = answer.programCommand { text += TextFold.command(command, width: width) + "\n" }
            if let obstacle = answer.programObstacle { text += "  Note: \(obstacle).\n" }
            for adjustment in answer.adjustments { text += "  Note: \(adjustment).\n" }
        }
        for failure in failures { text += "No answer for \(failure.point ?? failure.clip): \(failure.reason).\n" }
        for search in unfinished { text += "No answer for \(search.variant): interrupted.\n" }
        if answers.isEmpty { return text }
        return text
            + "\n\(score.title) by \(measuredBy). \(Analysis.unique(answers.map(\.library)).joined(separator: "; ")).\n"
    }
}

extension TargetReport.Trial {
    /// Its quality, for people: with as many decimals as tell it from the goal.
    func text(_ score: Score, goal: Double) -> String {
        self.score.map { Format.fixed($0, score.decimals, tellingFrom: goal) } ?? "equal"
    }
}
