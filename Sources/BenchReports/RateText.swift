// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench

extension RateReport: QuestionReport {
    package var broken: [String] {
        let count = entries.reduce(0) { $0 + $1.windows.count(where: \.isBroken) }
        return count == 0 ? [] : [count == 1 ? "1 limit is broken" : "\(count) limits are broken"]
    }

    /// The report for people.
    package func text(width: Int?) -> String {
        var text = ""
        for clip in distinct(entries.map(\.clip)) {
            let entries = entries.filter { $0.clip == clip }
            let seconds = entries.map(\.seconds).max() ?? 0
            text += "\(clip): \(Format.counted(entries[0].frames, "frame")), \(Format.fixed(seconds, 2)) s\n\n"
            text += table(entries).text(width: width)
            text += "\n"
            if seconds < 5 {
                text +=
                    "Note: \(Format.fixed(seconds, 1)) s is short for rate control, which has hardly settled by then.\n"
            }
            for entry in entries where entry.dropped > 0 {
                text +=
                    "\(entry.variant), \(entry.rate): \(entry.dropped) of \(entry.frames) frames were dropped for want of bits.\n"
            }
            for note in distinct(
                entries.flatMap { entry in entry.adjustments.map { "\(entry.variant), \(entry.rate): \($0)" } })
            {
                text += "Note: \(note).\n"
            }
        }
        let legend =
            "by session: what the library was given of the asked rate, lowered where limits leave no room; by library: what came of "
            + "that. largest window: what the fullest one carries; share: of the limit or, without one, of the asked rate."
        return text + ending(legend, libraries: entries.map(\.library)) + "\n"
    }

    private func table(_ entries: [Entry]) -> TextTable {
        var table = TextTable([
            .words("encoder"), .number("asked bit/s"), .number("bit/s"), .number("off"), .number("by session"),
            .number("by library"), .words("limit"),
            .number("largest window"), .number("share"), .words(""),
        ])
        for entry in entries {
            for (place, window) in entry.windows.enumerated() {
                let whole = window.limitBytes.map(Double.init) ?? Double(entry.askedBitsPerSecond) * window.seconds / 8
                let limit = window.limitBytes.map { "\(Format.grouped($0)) in \(Format.shortest(window.seconds)) s" }
                let opening =
                    place > 0
                    ? ["", "", "", "", "", ""]
                    : [
                        entry.variant, Format.grouped(entry.askedBitsPerSecond),
                        Format.grouped(Int(entry.bitsPerSecond.rounded())), Format.change(entry.deviation),
                        entry.sessionDeviation.map { Format.change($0) } ?? "-",
                        entry.libraryDeviation.map { Format.change($0) } ?? "-",
                    ]
                table.add(
                    opening + [
                        limit ?? "none", Format.grouped(window.largest.bytes),
                        Format.percent(Double(window.largest.bytes) / whole), window.isBroken ? "BROKEN" : "",
                    ])
            }
        }
        return table
    }
}
