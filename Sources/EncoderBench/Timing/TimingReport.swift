// SPDX-License-Identifier: MIT

/// What encoding cost, one encode at a time; never part of a quality point.
package struct TimingReport: MachineReport, Codable, Equatable, Sendable {
    /// One variant at one rate on one clip: medians of its rounds.
    package struct Entry: Codable, Equatable, Sendable {
        package var clip: String
        package var variant: String
        package var rate: String
        /// Threads that the encoder had; nil: the library's choice, or none to choose.
        package var threads: Int?
        /// Frames of each encode.
        package var frames: Int
        /// Frames that the clip has, where only its first were timed; nil for all.
        package var clipFrames: Int?
        /// Whether the clip had no room on the disk where it could be decoded before: times include its decoding.
        package var isDecodedMeanwhile: Bool
        package var framesPerSecond: Double
        package var wallSeconds: Double
        package var cpuSeconds: Double
        package var peakResidentBytes: Int?
        /// How long frames are inside, of the encode before the rounds.
        package var delay: EncodeDelay?

        enum CodingKeys: String, CodingKey {
            case clip, variant, rate, threads, frames, delay
            case clipFrames = "clip_frames"
            case isDecodedMeanwhile = "decoded_meanwhile"
            case framesPerSecond = "frames_per_second"
            case wallSeconds = "wall_seconds"
            case cpuSeconds = "cpu_seconds"
            case peakResidentBytes = "peak_resident_bytes"
        }
    }

    /// One curve against another on one clip.
    package struct Pair: Codable, Equatable, Sendable {
        package var clip: String
        package var anchor: String
        package var test: String
        /// Threads that the encoders had; nil: the library's choice, or none to choose.
        package var threads: Int?
        /// The score that is held equal.
        package var score: String
        /// Nil where the curves share no quality, and where an encode is too short to be timed.
        package var atEqualQuality: AtEqualQuality?
        /// Why there are no ratios, in words; nil where there are.
        package var refusal: String?
        /// The anchor against itself: what the machine's noise alone does to CPU time; nil where an encode is too
        /// short.
        package var control: PairedRatio?
        /// Rounds that were finished before an interruption; nil for all.
        package var finishedRounds: Int?

        enum CodingKeys: String, CodingKey {
            case clip, anchor, test, threads, score, refusal, control
            case finishedRounds = "finished_rounds"
            case atEqualQuality = "at_equal_quality"
        }
    }

    /// What one curve takes of time where another is as good.
    package struct AtEqualQuality: Codable, Equatable, Sendable {
        /// The score's value that both are held to; where ``testQuality`` is known, the anchor's alone.
        package var quality: Double
        /// The score's value of the other curve's encode that is nearest, where nothing was interpolated; nil where
        /// both are held to one quality.
        package var testQuality: Double?
        /// The encode of the anchor that has it, or the two next to it, between which times are interpolated.
        package var anchorRates: [String]
        /// The encode of the other curve that has it, or two next to it.
        package var testRates: [String]
        package var cpuRatio: PairedRatio
        package var wallRatio: PairedRatio

        /// Whether the encodes that were timed are as good as each other, to a twentieth of the qualities compared.
        package func isEqual(among qualities: ClosedRange<Double>) -> Bool {
            testQuality.map { Self.areEqual(quality, $0, among: qualities) } ?? true
        }

        /// Whether two qualities are as good as each other, to a twentieth of the qualities compared.
        static func areEqual(_ quality: Double, _ other: Double, among qualities: ClosedRange<Double>) -> Bool {
            abs(other - quality) <= (qualities.upperBound - qualities.lowerBound) / 20
        }

        enum CodingKeys: String, CodingKey {
            case quality
            case testQuality = "test_quality"
            case anchorRates = "anchor_rates"
            case testRates = "test_rates"
            case cpuRatio = "cpu_ratio"
            case wallRatio = "wall_ratio"
        }
    }

    package var machine: Machine
    package var rounds: Int
    /// Seconds that each pair on each clip was to take with each number of threads, so that long clips are timed by
    /// their first frames; nil for no limit.
    package var budgetSeconds: Double?
    /// What the order of the encodes followed from.
    package var seed: UInt64
    /// Cores that other processes kept busy meanwhile, on average; nil where the system does not tell.
    package var othersCores: Double?
    package var entries: [Entry] = []
    package var pairs: [Pair] = []
    /// Rounds that were finished before an interruption, of all pairs together; nil for all.
    package var finishedRounds: Int?
    /// Rounds that there would have been; nil where all were finished.
    package var plannedRounds: Int?

    enum CodingKeys: String, CodingKey {
        case machine, rounds, seed, entries, pairs
        case budgetSeconds = "budget_seconds"
        case othersCores = "others_cores"
        case finishedRounds = "finished_rounds"
        case plannedRounds = "planned_rounds"
    }
}
