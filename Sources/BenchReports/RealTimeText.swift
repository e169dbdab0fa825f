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
            text += "\(clip): \(Format.counted(pace.frames, "picture")), "
            text += "\(Format.fixed(1 / pace.interval, 2)) a second\n\n"
            var table = TextTable(
                [.words("encoder"), .words("setting")] + (Latencies.titles + ["max ms"]).map { .number($0) }
                    + ["held", "late", "refused", "dropped"].map { .number($0) } + [.words("keeps up")])
            for entry in entries { table.add(row(entry)) }
            text += table.text(width: width) + "\n"
            for sentence in Self.answer(entries) { text += sentence + "\n" }
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

    /// Which encoder of a clip to take: the fastest that keeps up at the same quality, and what the others do; or that
    /// qualities are not the same.
    static func answer(_ entries: [Entry]) -> [String] {
        guard let goal = entries.compactMap(\.equalQuality?.goal).first else {
            guard entries.count > 1 else { return [] }
            // Encoders that nobody asked for a setting would have been held to the first one's quality.
            return entries.allSatisfy(\.isDefault)
                ? [
                    "These are at each library's default, not at the same quality: the pictures of \(entries[0].variant) "
                        + "equal their sources, and others cannot be held to that."
                ] : ["These are at the settings that were asked for, not at the same quality."]
        }
        let entries = entries.filter { $0.equalQuality != nil }
        let start = "At the same quality (PSNR-Y \(Format.fixed(goal, 2)) dB), "
        func median(_ entry: Entry) -> Double { entry.pace.latencies?.p50 ?? .infinity }
        let keepingUp = entries.filter { $0.pace.keepsUp == true }
        guard let fastest = keepingUp.min(by: { median($0) < median($1) }) else {
            let names = entries.map { "\($0.variant) at \($0.rate)" }.joined(separator: ", ")
            let isKnown = entries.allSatisfy { $0.pace.keepsUp != nil }
            return ["\(start)\(isKnown ? "none keeps up" : "so few frames do not tell who keeps up"): \(names)."]
        }
        func frames(_ entry: Entry) -> String {
            "half of its frames are out within \(Format.fixed(median(entry) * 1000, 1)) ms"
        }
        return ["\(start)\(fastest.variant) is the fastest that keeps up, at \(fastest.rate): \(frames(fastest))."]
            + entries.filter { $0.variant != fastest.variant }.map { entry in
                let pace =
                    entry.pace.keepsUp.map { $0 ? "keeps up too: \(frames(entry))" : "does not keep up" }
                    ?? "has too few frames to tell whether it keeps up"
                let share = bytes(entry).flatMap { own in bytes(fastest).map { own / $0 } }
                let takes = share.map { "; it takes \(Format.percent($0)) of \(fastest.variant)'s bytes" } ?? ""
                return "\(entry.variant), at \(entry.rate), \(pace)\(takes)."
            }
    }

    /// Bytes at the goal itself; nil where there are none to divide by.
    private static func bytes(_ entry: Entry) -> Double? {
        entry.equalQuality?.bytesAtGoal.flatMap { $0 > 0 ? $0 : nil }
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
