// SPDX-License-Identifier: MIT

extension TimingReport {
    /// The report for people.
    var text: String {
        var text = "\nCost, one encode at a time in a process of its own, medians of \(rounds) rounds:\n\n"
        let clips = Analysis.unique(entries.map(\.clip))
        var columns: [TextTable.Column] = [
            .words("encoder"), .words("rate"), .number("fps"), .number("CPU s"), .number("peak MiB"),
        ]
        if clips.count > 1 { columns.insert(.words("clip"), at: 0) }
        var table = TextTable(columns)
        for entry in entries {
            let memory = entry.peakResidentBytes.map { Format.fixed(Double($0) / 1_048_576, 0) } ?? "-"
            table.add(
                (clips.count > 1 ? [entry.clip] : []) + [
                    entry.variant, entry.rate, Format.fixed(entry.framesPerSecond, 1),
                    Format.fixed(entry.cpuSeconds, 2), memory,
                ])
        }
        text += table.text + "\n"
        for pair in pairs {
            let clip = clips.count > 1 ? "\(pair.clip): " : ""
            text += "\(clip)\(pair.test) takes \(Self.text(pair.cpuRatio)) times the CPU time of \(pair.anchor)"
            text += " and \(Self.text(pair.wallRatio)) times its time"
            if let score = Score.named(pair.score), let difference = pair.scoreDifference {
                text += ", at \(score.title) \(score.text(abs(difference))) \(difference < 0 ? "lower" : "higher")"
            }
            text += ".\n  The control, \(pair.anchor) against itself: \(Self.text(pair.control)).\n"
        }
        text += "Medians with 95 % intervals, on \(machine.processor), \(machine.threads) hardware threads.\n"
        if isDisturbed, let othersCores {
            text += "Note: other processes kept \(Format.fixed(othersCores, 1)) cores busy: times may be wrong.\n"
        }
        return text
    }

    private static func text(_ ratio: PairedRatio) -> String {
        "\(Format.fixed(ratio.median, 2)) [\(Format.fixed(ratio.low, 2)), \(Format.fixed(ratio.high, 2))]"
    }
}
