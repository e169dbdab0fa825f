// SPDX-License-Identifier: MIT

import CommandOptions

/// Whether encoders keep up with a camera, and how late frames come out.
struct RealTimeReport: QuestionReport, DisturbableReport, Codable, Equatable {
    /// One encoder on one clip.
    struct Entry: Codable, Equatable, Sendable {
        var clip: String
        /// "x264 medium".
        var variant: String
        var library: String
        /// What decided the bits: "crf 21".
        var rate: String
        var pace: Pace
        /// What the session did otherwise than asked.
        var adjustments: [String]
        /// Pictures, in display order.
        var frames: [PacedResult.Frame]
    }

    var schemaVersion = 1
    /// The version of this program.
    var encbench = VersionText.package
    var machine: Machine = .current()
    /// Cores that other processes kept busy meanwhile, on average; nil where the system does not tell.
    var othersCores: Double?
    var entries: [Entry] = []
    var failures: [Study.Failure]
    var isInterrupted: Bool

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
    init(_ answers: Question.Answers<PacedResult>, frameRate: Double?) {
        (failures, isInterrupted) = (answers.failures, answers.isInterrupted)
        for (point, result) in answers.points {
            let clip = answers.study.clips[point.clip]
            let pace = Pace(
                result.frames, framesHeld: result.framesHeld, interval: 1 / (frameRate ?? clip.framesPerSecond ?? 25))
            entries.append(
                Entry(
                    clip: clip.name, variant: answers.study.variants[point.variant].label, library: result.library,
                    rate: point.rate, pace: pace, adjustments: result.adjustments, frames: result.frames))
        }
    }

    var broken: [String] { [] }
}

extension RealTimeReport {
    /// The report for people.
    func text(width: Int?) -> String {
        var text = ""
        for clip in Analysis.unique(entries.map(\.clip)) {
            let entries = entries.filter { $0.clip == clip }
            let pace = entries[0].pace
            text += "\(clip): \(pace.frames) pictures, \(Format.fixed(1 / pace.interval, 2)) a second\n\n"
            var table = TextTable(
                [.words("encoder"), .words("rate")] + (Latencies.titles + ["max ms"]).map { .number($0) }
                    + ["held", "late", "refused", "dropped"].map { .number($0) } + [.words("keeps up")])
            for entry in entries { table.add(row(entry)) }
            text += table.text(width: width) + "\n"
            for entry in entries { text += Self.notes(entry) }
        }
        let legend =
            "p50 to max: latency, from giving a picture to its frame's coming out. held: the most frames inside. "
            + "refused: pictures for which there was no room. dropped: frames that were taken, and left out for want of bits."
        return text + ending(legend, libraries: entries.map(\.library)) + "\n" + machineNote
    }

    private func row(_ entry: Entry) -> [String] {
        let pace = entry.pace
        let latencies = pace.latencies.map { $0.cells + [Format.fixed($0.maximum * 1000, 1)] }
        let verdict =
            pace.keepsUp.map { $0 ? "yes" : isDisturbed ? "NO, but the machine was busy" : "NO" }
            ?? "too few frames to tell"
        return [entry.variant, entry.rate] + (latencies ?? ["-", "-", "-", "-"])
            + ["\(pace.framesHeld)", "\(pace.late)", "\(pace.refused)", "\(pace.dropped)", verdict]
    }

    private static func notes(_ entry: Entry) -> String {
        let pace = entry.pace
        var text = ""
        if pace.refused > 0 {
            text += "\(entry.variant): \(pace.refused) of \(pace.frames) pictures were refused for want of room.\n"
        }
        if pace.dropped > 0 {
            text += "\(entry.variant): \(pace.dropped) of \(pace.frames) frames were dropped for want of bits.\n"
        }
        if let lag = pace.lag, lag > pace.interval {
            text +=
                "\(entry.variant): frames come \(Format.fixed(lag * 1000, 0)) ms later at the end than at the start.\n"
        }
        if pace.givenLate > pace.interval {
            text += "Note: \(entry.variant): a picture was given \(Format.fixed(pace.givenLate * 1000, 0)) ms late: "
            text += "the machine was busy, or the clip slow to read.\n"
        }
        for adjustment in entry.adjustments { text += "Note: \(entry.variant): \(adjustment).\n" }
        return text
    }
}
