// SPDX-License-Identifier: MIT

import Glibc
import PictureQuality

/// What a search for a quality found.
package struct TargetReport: DisturbableReport, Codable, Equatable, Sendable {
    /// One encode of the search.
    package struct Trial: Codable, Equatable, Sendable {
        /// What decided the bits, as options say it: "crf 23.25".
        package var rate: String
        package var score: Double?
        package var bytes: Int
        package var bitsPerSecond: Double

        enum CodingKeys: String, CodingKey {
            case rate, score, bytes
            case bitsPerSecond = "bits_per_second"
        }
    }

    /// What was found for one encoder.
    package struct Answer: Codable, Equatable, Sendable {
        /// Its label: "x264 medium".
        package var variant: String
        package var library: String
        /// Frames of the clip that were used, or of its scenes where these stand for it.
        package var frames: Int
        /// From one setting to the next: "steps of 0.25".
        package var step: String
        /// Whether the goal was reached.
        package var isReached: Bool
        /// The cheapest setting that reaches the goal, or the best there is where none does.
        package var found: Trial
        /// The next cheaper setting, which does not reach the goal; nil where there is none.
        package var next: Trial?
        /// Bytes at the goal itself, which the two settings around it do not hit: the logarithm of theirs, interpolated
        /// along the score; nil where only one of them is known.
        package var bytesAtGoal: Double?
        /// Everything that was encoded or found in the store, in its order.
        package var trials: [Trial]
        /// What encodes so with this program.
        package var command: String
        /// The command of the library's own program; nil where none does.
        package var programCommand: String?
        /// Why that program would encode otherwise; nil where it does not, and where there is no such program.
        package var programObstacle: String?
        /// What the session did otherwise than asked.
        package var adjustments: [String]
        /// How sure the bytes of the setting found are, and how long the whole takes, where scenes stand for the clip;
        /// nil where all of it was encoded.
        package var prediction: SamplePrediction?

        enum CodingKeys: String, CodingKey {
            case variant, library, frames, step, found, next, trials, command, adjustments, prediction
            case isReached = "reached"
            case bytesAtGoal = "bytes_at_goal"
            case programCommand = "program_command"
            case programObstacle = "program_obstacle"
        }
    }

    /// What an encoder needs beside the first.
    package struct Share: Codable, Equatable, Sendable {
        /// The first encoder's label.
        package var anchor: String
        /// The other's.
        package var test: String
        /// Bytes of the other as a share of the first's.
        package var byteShare: Double
        /// Whether both are at the goal itself, by interpolation; else they are of the settings found, whose qualities
        /// differ by up to a step.
        package var isAtGoal: Bool

        enum CodingKeys: String, CodingKey {
            case anchor, test
            case byteShare = "byte_share"
            case isAtGoal = "at_goal"
        }
    }

    /// What an interrupted search had tried with one encoder.
    package struct Unfinished: Codable, Equatable, Sendable {
        /// Its label.
        package var variant: String
        package var trials: [Trial]

        package init(variant: String, trials: [Trial]) {
            self.variant = variant
            self.trials = trials
        }
    }

    package var schemaVersion = 1
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    package var clip: String
    package var digest: String
    /// The metric, its score that counts, and what took its values.
    package var metric: String
    package var score: String
    package var measuredBy: String
    /// What was to be reached.
    package var goal: Double
    package var answers: [Answer] { didSet { shares = Self.shares(answers) } }
    /// What each encoder that reaches the goal needs beside the first, where that reaches it too.
    package private(set) var shares: [Share]
    /// Encoders without an answer, and why.
    package var failures: [Study.Failure]
    /// Encoders that an interruption left without an answer.
    package var unfinished: [Unfinished] = []
    /// Whether the search was interrupted.
    package var isInterrupted = false
    /// Cores that other processes kept busy while scenes were timed, on average; nil where none was, and where the
    /// system does not tell.
    package var othersCores: Double?

    package init(
        schemaVersion: Int = 1, encbench: String = EncoderBenchVersion.current, clip: String,
        digest: String, metric: String, score: String, measuredBy: String, goal: Double, answers: [Answer],
        failures: [Study.Failure], unfinished: [Unfinished] = [], isInterrupted: Bool = false
    ) {
        self.schemaVersion = schemaVersion
        self.encbench = encbench
        self.clip = clip
        self.digest = digest
        self.metric = metric
        self.score = score
        self.measuredBy = measuredBy
        self.goal = goal
        self.answers = answers
        shares = Self.shares(answers)
        self.failures = failures
        self.unfinished = unfinished
        self.isInterrupted = isInterrupted
    }

    enum CodingKeys: String, CodingKey {
        case encbench, clip, metric, score, goal, answers, shares, failures, unfinished
        case isInterrupted = "interrupted"
        case othersCores = "others_cores"
        case schemaVersion = "schema_version"
        case digest = "sha256"
        case measuredBy = "measured_by"
    }
}

extension TargetReport {
    private static func shares(_ answers: [Answer]) -> [Share] {
        guard let first = answers.first, first.isReached, first.found.bytes > 0 else { return [] }
        return answers.dropFirst().filter(\.isReached).map { answer in
            if let anchor = first.bytesAtGoal, let test = answer.bytesAtGoal {
                return Share(anchor: first.variant, test: answer.variant, byteShare: test / anchor, isAtGoal: true)
            }
            return Share(
                anchor: first.variant, test: answer.variant,
                byteShare: Double(answer.found.bytes) / Double(first.found.bytes), isAtGoal: false)
        }
    }
}

extension TargetReport.Trial {
    /// The bytes at a quality between two encodes, by the logarithm along the score.
    ///
    /// - Parameters:
    ///   - goal: The quality.
    ///   - better: An encode that reaches it.
    ///   - worse: One that does not.
    /// - Returns: Nil where a score or a size is missing, or the better encode takes fewer bytes.
    package static func bytes(at goal: Double, better: TargetReport.Trial, worse: TargetReport.Trial?) -> Double? {
        guard let high = better.score, let worse, let low = worse.score, low < goal, goal <= high, worse.bytes > 0,
            better.bytes >= worse.bytes
        else { return nil }
        let place = (goal - low) / (high - low)
        return exp(log(Double(worse.bytes)) * (1 - place) + log(Double(better.bytes)) * place)
    }
}
