// SPDX-License-Identifier: MIT

import EncoderBench

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
        if report.clips.count > 1 { text += "\n## All clips\n\n" + table(report.overallAnswers) }
        if let note = report.anchorsNote { text += "\n\(escaped(note))\n" }
        if let verdict = report.verdict {
            text += "\n## \(escaped(verdict.claim))?\n\n"
            for finding in verdict.findings { text += "- \(escaped(finding.sentence)).\n" }
            text += "\n\(escaped(verdict.explanation)).\n"
        }
        if let timing = report.timing { text += cost(timing) }
        let remarks = report.remarks
        if !remarks.isEmpty { text += "\n" + remarks.map { "- \(escaped($0)).\n" }.joined() }
        return text + "\n\(escaped(report.libraries.joined(separator: "; "))); encbench \(report.encbench).\n"
    }

    private static func clip(_ clip: ComparisonReport.Clip, _ report: ComparisonReport) -> String {
        var text = "## \(escaped(clip.name))\n\n\(clip.summary).\n\n" + table(report.points(of: clip))
        let answers = report.answers(on: clip)
        if !answers.rows.isEmpty { text += "\n" + table(answers) }
        for remark in clip.remarks { text += "\n- \(escaped(remark)).\n" }
        return text
    }

    private static func cost(_ timing: TimingReport) -> String {
        let lines = timing.sentences.map { $0.joined(separator: " ") } + timing.closing
        return "\n## Cost\n\n\(timing.introduction)\n\n" + table(timing.table) + "\n"
            + lines.map { "- \(escaped($0))\n" }.joined()
    }

    private static func table(_ table: TextTable) -> String {
        let rule = table.columns.map { $0.isNumber ? "---:" : "---" }
        return ([table.columns.map(\.title), rule] + table.rows).enumerated().map { index, cells in
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
