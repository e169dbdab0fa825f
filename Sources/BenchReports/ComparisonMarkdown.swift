// SPDX-License-Identifier: MIT

import EncoderBench
import PictureQuality

extension ReportFormat {
    /// Tables and answers, as GitHub shows them.
    package static let markdown = ReportFormat(summary: "Write the tables and answers as Markdown") {
        Array(ComparisonMarkdown.text($0).utf8)
    }
}

/// The report of a comparison as Markdown.
enum ComparisonMarkdown {
    /// All clips, one after the other, and what they come to.
    static func text(_ report: ComparisonReport) -> String {
        var text = report.clips.map { clip($0, report) }.joined(separator: "\n")
        let ending = report.ending.markdown
        if !ending.isEmpty { text += "\n" + ending }
        if let timing = report.timing { text += "\n" + timing.outline.markdown }
        return text + "\n\(Markdown.escaped(report.libraries.joined(separator: "; "))); encbench \(report.encbench).\n"
    }

    private static func clip(_ clip: ComparisonReport.Clip, _ report: ComparisonReport) -> String {
        var text = "## \(Markdown.escaped(clip.name))\n\n\(clip.summary).\n\n" + Markdown.table(report.points(of: clip))
        let answers = report.answers(on: clip)
        if !answers.rows.isEmpty { text += "\n" + Markdown.table(answers) }
        let findings = clip.findings(headline: report.scores.compared.first).markdown
        if !findings.isEmpty { text += "\n" + findings }
        if !clip.notes.isEmpty { text += "\n" + clip.notes.map { "- Note: \(Markdown.escaped($0)).\n" }.joined() }
        return text
    }
}
