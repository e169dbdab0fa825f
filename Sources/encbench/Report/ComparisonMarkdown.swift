// SPDX-License-Identifier: MIT

extension ReportFormat {
    /// Tables and answers, as GitHub shows them.
    static let markdown = ReportFormat { Array(ComparisonMarkdown.text($0).utf8) }
}

/// The report of a comparison as Markdown.
enum ComparisonMarkdown {
    /// All clips, one after the other, and what they come to.
    static func text(_ report: ComparisonReport) -> String {
        let scores = report.scores
        var text = report.clips.map { clip($0, scores) }.joined(separator: "\n")
        if report.clips.count > 1 {
            text +=
                "\n## All clips\n\n"
                + table(
                    ["against", "measure", "rate at equal quality", "95 % interval", "clips"],
                    report.overall.map {
                        [
                            "\($0.test) against \($0.anchor)", Score.title(ofID: $0.score),
                            Format.change($0.rateChange), interval($0),
                            "\($0.clips)",
                        ]
                    })
        }
        let notes =
            report.failures.map { "Not compared: \($0.clip)\($0.point.map { ", " + $0 } ?? ""): \($0.reason)." }
            + report.notes.map { "Note: \($0)." } + (report.isInterrupted ? ["Interrupted: points are missing."] : [])
            + report.makers.map { $0 + "." }
        if !notes.isEmpty { text += "\n" + notes.map { "- \(escaped($0))\n" }.joined() }
        return text + "\n\(escaped(report.libraries.joined(separator: "; "))); encbench \(report.encbench).\n"
    }

    private static func clip(_ clip: ComparisonReport.Clip, _ scores: [Score]) -> String {
        let rate = clip.framesPerSecond.map { ", \(Format.fixed($0, 2)) frames/s" } ?? ""
        let titles =
            ["encoder", "rate", "bytes", "bit/s"] + scores.shown.map(\.heading)
        var text = "## \(escaped(clip.name))\n\n\(clip.width)x\(clip.height)\(rate), \(clip.frames) frames.\n\n"
        text += table(
            titles,
            clip.points.map { point in
                [point.variant, point.rate, Format.grouped(point.bytes)]
                    + [Format.grouped(Int(point.bitsPerSecond.rounded()))]
                    + scores.shown.map { $0.cell(point) }
            }, words: 2)
        let answers = clip.pairs.flatMap { pair in
            pair.equalQuality.map { answer in
                [
                    "\(pair.test) against \(pair.anchor)", Score.title(ofID: answer.score), Format.change(answer.pchip),
                    Format.change(answer.lowerHalf), Format.change(answer.upperHalf),
                ]
            }
        }
        if !answers.isEmpty {
            text += "\n" + table(["against", "measure", "BD-rate", "lower half", "upper half"], answers)
        }
        for note in clip.notes
            + clip.pairs.flatMap({ pair in pair.refusals.map { "\(pair.test): no answer by \($0)" } })
        { text += "\n- \(escaped(note)).\n" }
        return text
    }

    private static func interval(_ answer: ComparisonReport.Overall) -> String {
        guard let low = answer.low, let high = answer.high else { return "-" }
        return "\(Format.change(low)) to \(Format.change(high))"
    }

    private static func table(_ titles: [String], _ rows: [[String]], words: Int = 2) -> String {
        let rule = titles.indices.map { $0 < words ? "---" : "---:" }
        return ([titles, rule] + rows).enumerated().map { index, cells in
            "| " + (index < 2 ? cells : cells.map(escaped)).joined(separator: " | ") + " |\n"
        }.joined()
    }

    /// Text whose characters mean nothing to Markdown.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\`*_{}[]<>#|".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
