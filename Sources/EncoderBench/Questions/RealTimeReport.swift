// SPDX-License-Identifier: MIT

import EncoderAPI

/// Whether encoders keep up with a camera, and how late frames come out.
package struct RealTimeReport: MachineReport, Codable, Equatable {
    /// What an encoder gives where all are held to one quality.
    package struct EqualQuality: Codable, Equatable, Sendable {
        /// PSNR of luma in dB that is to be reached.
        package var goal: Double
        /// That of the encode, at the cheapest setting that reaches it; nil where all pictures equal their sources.
        package var psnr: Double?
        /// The encode's bytes.
        package var bytes: Int
        /// Bytes at the goal itself, between that setting and the next, as ``TargetReport/Answer/bytesAtGoal``; nil
        /// where one of them is not known.
        package var bytesAtGoal: Double?

        enum CodingKeys: String, CodingKey {
            case bytes
            case goal = "goal_luma_psnr_db"
            case psnr = "luma_psnr_db"
            case bytesAtGoal = "bytes_at_goal"
        }
    }

    /// One encoder on one clip.
    package struct Entry: Codable, Equatable, Sendable {
        package var clip: String
        /// "x264 medium".
        package var variant: String
        package var library: String
        /// What decided the bits: "crf 21".
        package var rate: String
        package var pace: Pace
        /// What the session did otherwise than asked.
        package var adjustments: [String]
        /// Pictures, in display order.
        package var frames: [PacedResult.Frame]
        /// The quality that it was held to with the clip's other encoders; nil where a setting was asked for.
        package var equalQuality: EqualQuality?

        /// Whether it is at what the library does unasked.
        package var isDefault: Bool { rate == RateControl.automatic.label }

        enum CodingKeys: String, CodingKey {
            case clip, variant, library, rate, pace, adjustments, frames
            case equalQuality = "equal_quality"
        }
    }

    package var schemaVersion = 1
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    package var machine: Machine = .current()
    /// Cores that other processes kept busy meanwhile, on average; nil where the system does not tell.
    package var othersCores: Double?
    package var entries: [Entry] = []
    package var failures: [Study.Failure]
    package var isInterrupted: Bool

    enum CodingKeys: String, CodingKey {
        case encbench, machine, entries, failures
        case schemaVersion = "schema_version"
        case othersCores = "others_cores"
        case isInterrupted = "interrupted"
    }

    /// Takes the runs' measures.
    ///
    /// - Parameters:
    ///   - answers: The runs.
    ///   - frameRate: Pictures a second; nil for the clips' own.
    ///   - qualities: What encodes give that are held to one quality, by their work.
    package init(
        _ answers: Answers<PacedResult>, frameRate: Double?, qualities: [PointWork: EqualQuality] = [:]
    ) {
        (failures, isInterrupted) = (answers.failures, answers.isInterrupted)
        for (point, result) in answers.points {
            let clip = answers.study.clips[point.clip]
            let pace = Pace(
                result.frames, framesHeld: result.framesHeld, interval: 1 / (frameRate ?? clip.framesPerSecond ?? 25))
            entries.append(
                Entry(
                    clip: clip.name, variant: answers.study.variants[point.variant].label, library: result.library,
                    rate: point.rate, pace: pace, adjustments: result.adjustments, frames: result.frames,
                    equalQuality: qualities[point.work]))
        }
    }

}
