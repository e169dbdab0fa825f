// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench
import PictureQuality

extension TimingReport: TextReport {
    /// All that is said of it.
    var outline: Outline {
        Outline(blocks: [
            .heading("Cost"), .paragraph("Times are of \(conditions)."), .chart,
            .table(table, caption: "What encodes took"), .list(sentences + closing.map { [$0] }),
        ])
    }

    /// The report for people.
    package func text(width: Int?) -> String { "\n" + outline.text(width: width) }

    /// What the encodes took, one line each; the clip is a column where there are several.
    private var table: TextTable {
        let clips = distinct(entries.map(\.clip))
        var columns: [TextTable.Column] = [
            .words("encoder"), .words("setting"), .words("threads"), .number("fps"), .number("CPU s"),
            .number("peak MiB"), .number("held"),
        ]
        columns += Latencies.titles.map { .number($0) }
        if clips.count > 1 { columns.insert(.words("clip"), at: 0) }
        var table = TextTable(columns)
        for entry in entries {
            var cells = clips.count > 1 ? [entry.clip] : []
            cells += [entry.variant, entry.rate, entry.threads.map(String.init) ?? "auto"]
            cells += [
                Format.fixed(entry.framesPerSecond, 1), Format.fixed(entry.cpuSeconds, 2),
                Format.mebibytes(entry.peakResidentBytes), (entry.delay?.framesHeld).map(String.init) ?? "-",
            ]
            cells += entry.delay?.latencies.cells ?? Latencies.titles.map { _ in "-" }
            table.add(cells)
        }
        return table
    }

    /// What each pair comes to, and its control, a sentence each with its full stop.
    private var sentences: [[String]] {
        let hasClips = Set(entries.map(\.clip)).count > 1
        let hasThreads = Set(pairs.map(\.threads)).count > 1
        return pairs.map { pair in
            let clip = hasClips ? "\(pair.clip): " : ""
            return [clip + (hasThreads ? "\(pair.threadWords), " : "") + pair.sentence]
                + (pair.control.map { ["The control, \(pair.anchor) against itself: \($0.text)."] } ?? [])
        }
    }

    private var conditions: String {
        "one encode at a time in a process of its own, medians of \(upTo)\(rounds) rounds"
    }

    private var upTo: String { finishedRounds == nil ? "" : "up to " }

    /// How the times came about, a sentence each with its full stop.
    private var closing: [String] {
        var lines = [
            "held: the most frames inside the encoder. p50 to p99: from giving a picture to its frame's coming out, where each "
                + "is given when the encoder has dealt with the one before.",
            "\(kind), on \(machine.processor), \(machine.threads) hardware threads.",
        ]
        lines += interrupted + apart + shortened + decodedMeanwhile
        if entries.contains(where: { $0.threads == nil }) {
            lines.append("threads: how many the encoder was given; auto: its library's own choice.")
        }
        let equal = pairs.compactMap(\.atEqualQuality)
        if equal.contains(where: { $0.testQuality != nil }) {
            lines.append(
                "Ratios at two qualities are of the encodes that are nearest, a twentieth of the qualities compared apart or less; "
                    + "--rounds interpolates to one quality.")
        }
        if equal.contains(where: { $0.testQuality == nil }) {
            lines.append(
                "Ratios with both at one quality are at that of an encode of one curve; where no encode of the other has it, the logarithms of "
                    + "its times are interpolated between the two next to it, round by round.")
        }
        if (entries.map(\.cpuSeconds).min() ?? 1) < 0.1 {
            lines.append("Note: encodes of less than 0.1 s of CPU time are mostly start-up; take more frames.")
        }
        if let disturbance { lines.append(disturbance) }
        return lines
    }

    /// What keeps times from being believed, for those who read no more than the first screen; that other programs
    /// disturbed them stands beside the times.
    var caveats: [String] { interrupted + decodedMeanwhile }

    /// That rounds are missing.
    private var interrupted: [String] {
        guard let finishedRounds, let plannedRounds else { return [] }
        return [
            "Times were interrupted: \(finishedRounds) of \(plannedRounds) rounds were finished, all pairs together; "
                + "pairs without any are missing."
        ]
    }

    /// Clips that were too long for the time there was.
    private var shortened: [String] {
        distinct(
            entries.compactMap { entry in
                guard let clipFrames = entry.clipFrames, let budgetSeconds else { return nil }
                return "\(entry.clip): the first \(entry.frames) of \(clipFrames) frames were timed, so that "
                    + "\(Format.shortest(budgetSeconds)) s are enough for a pair of curves with "
                    + "\(entry.threads.map { "\($0) thread\($0 == 1 ? "" : "s")" } ?? "the library's own threads"); "
                    + "--rounds times all."
            })
    }

    /// Clips that were decoded while clocks ran.
    private var decodedMeanwhile: [String] {
        distinct(
            entries.filter(\.isDecodedMeanwhile).map {
                "Note: \($0.clip): there was no room to decode it before: times include its decoding."
            })
    }

    private var kind: String {
        let most = pairs.map { $0.finishedRounds ?? rounds }.max()
        return most.map { PairedRatio.kind(rounds: $0) } ?? "Medians"
    }

    /// Anchors whose curves share no quality, so that each ratio is at a quality of its own.
    private var apart: [String] {
        let rated = pairs.filter { $0.atEqualQuality != nil }
        return distinct(
            rated.compactMap { pair in
                let group = rated.filter { $0.clip == pair.clip && $0.anchor == pair.anchor }
                guard Set(group.map { $0.atEqualQuality?.quality }).count > 1 else { return nil }
                let tests = group.map(\.test).joined(separator: ", ")
                return "\(pair.clip): \(tests) and \(pair.anchor) share no one quality: "
                    + "their ratios are at different ones, which does not rank them."
            })
    }
}

extension TimingReport.Pair {
    /// "with 1 thread", "with the library's own threads".
    fileprivate var threadWords: String {
        threads.map { "with \($0) thread\($0 == 1 ? "" : "s")" } ?? "with the library's own threads"
    }

    /// What one curve takes where the other is as good, or why that is not known, with its full stop.
    fileprivate var sentence: String {
        guard let equal = atEqualQuality else { return "\(test) against \(anchor): no ratio, since \(refusal ?? "")." }
        let rounds = finishedRounds.map { ", in \($0) round\($0 == 1 ? "" : "s")" } ?? ""
        return "\(test) takes \(equal.cpuRatio.text) times the CPU time of \(anchor)"
            + " and \(equal.wallRatio.text) times its time, \(equal.words(score))\(rounds)."
    }
}

extension TimingReport.AtEqualQuality {
    /// The quality in words: "both at PSNR-Y 42.27 dB", or "at PSNR-Y 42.49 dB against 42.27 dB".
    func words(_ score: String) -> String {
        guard let score = Score.named(score) else { return "both at \(score) \(quality)" }
        guard let testQuality else { return "both at \(score.title) \(score.text(quality))" }
        return "at \(score.title) \(score.text(testQuality)) against \(score.text(quality))"
    }
}
