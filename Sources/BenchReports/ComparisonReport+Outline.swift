// SPDX-License-Identifier: MIT

import EncoderBench

extension ComparisonReport {
    /// What is said below all clips: what they come to, whether a claim holds, and what a reader must know.
    var ending: Outline {
        var blocks: [Outline.Block] = []
        let answers = overallAnswers
        if clips.count > 1, !answers.rows.isEmpty {
            let hasInterval = overall.contains { $0.low != nil }
            blocks += [
                .heading("All clips"),
                .paragraph(
                    "Geometric means over clips"
                        + (hasInterval ? "; each interval is \(PairComparison.intervalMeaning)." : ".")),
                .table(answers, caption: "Answers over all clips"),
            ]
        }
        if let note = anchorsNote { blocks.append(.paragraph(note)) }
        if let verdict {
            blocks += [
                .heading(verdict.claim + "?"), .list(verdict.findings.map { [$0.sentence + "."] }),
                .paragraph(verdict.explanation + "."),
            ]
        }
        if !remarks.isEmpty { blocks.append(.list(remarks.map { [$0 + "."] })) }
        return Outline(blocks: blocks)
    }
}
