// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench

extension OverheadReport: QuestionReport {
    package var broken: [String] {
        entries.flatMap { entry in
            entry.race.programs.compactMap { program in
                guard let stream = program.stream, !stream.hasSameSlices else { return nil }
                return "\(entry.clip), \(entry.variant): \(program.name) makes other slices: \(stream.text)"
            }
        }
    }

    /// The report for people.
    package func text(width: Int?) -> String {
        var text = ""
        for entry in entries { text += self.text(entry, width: width) + "\n" }
        let legend = """
            Whole processes, from start to end. Ratios: encbench against the program. \(PairedRatio.kind(rounds: rounds)), of \(rounds) rounds.
            -: a peak below encbench's own, which systems count as the program's.
            """
        return text + ending(legend, libraries: entries.map(\.library)) + "\n" + machineNote
    }

    private func text(_ entry: Entry, width: Int?) -> String {
        var table = TextTable([
            .words("program"), .number("wall s"), .number("CPU s"), .number("peak MiB"), .number("wall ratio"),
            .number("CPU ratio"), .words("stream"),
        ])
        for program in entry.race.programs {
            table.add([
                program.name, Format.fixed(program.wallSeconds, 3), Format.fixed(program.cpuSeconds, 3),
                Format.mebibytes(program.peakResidentBytes), program.wallRatio?.text ?? "",
                program.cpuRatio?.text ?? "", program.stream?.text ?? "",
            ])
        }
        var text =
            "\(entry.clip), \(entry.variant), \(entry.rate), \(Format.counted(entry.frames, "frame"))\n\n"
            + table.text(width: width)
            + "\n"
        if let wall = entry.race.wallControl, let cpu = entry.race.cpuControl, entry.race.programs.count > 1 {
            text += "The control, \(entry.race.programs[1].name) against itself: wall \(wall.text), CPU \(cpu.text).\n"
        }
        for program in entry.race.programs { text += TextFold.command(program.command, width: width) + "\n" }
        if let finished = entry.race.finishedRounds {
            text += "Interrupted: \(finished) of \(rounds) rounds were finished.\n"
        }
        for missing in entry.race.missing { text += "Not compared: \(missing).\n" }
        if (entry.race.programs.map(\.wallSeconds).min() ?? 0) < 1 {
            text += "Note: encodes of less than a second are mostly start-up; take more frames.\n"
        }
        return text
    }
}

extension StreamDifference {
    /// "the same units", or what differs.
    var text: String { isNone ? "the same units" : differences.joined(separator: ", ") }
}
