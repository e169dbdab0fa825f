// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench

extension RealTimeReport: QuestionReport {
    package var broken: [String] { [] }

    /// The report for people.
    package func text(width: Int?) -> String {
        var text = ""
        for clip in distinct(entries.map(\.clip)) {
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
