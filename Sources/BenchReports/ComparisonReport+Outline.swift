// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension ComparisonReport {
    /// All that is said of a comparison, in whatever form: what a person wants to know first, then the rest.
    var outline: Outline {
        let report = withShortNames
        return report.first + report.rest
    }

    /// What stands on a first screen: the answer in sentences, the table, and what keeps it from being believed.
    var first: Outline {
        var blocks: [Outline.Block] = [.heading("Answer")]
        if clips.count == 1 { blocks.append(.paragraph(clips[0].title + ".")) }
        let answers = Answer.all(self)
        let scope = [Answer.scope(of: answers, self)].compactMap { $0 }
        // One pair needs no list.
        if answers.count == 1 {
            let sentences = answers[0].found + scope + [answers[0].choice]
            blocks.append(.list(sentences.map { [$0] }))
        } else if !answers.isEmpty {
            blocks.append(.list(answers.map { $0.found + [$0.choice] } + scope.map { [$0] }))
        }
        if !equalCostSentences.isEmpty { blocks.append(.list(equalCostSentences.map { [$0] })) }
        if let note = anchorsNote { blocks.append(.paragraph(note)) }
        if clips.count == 1 {
            blocks.append(.table(points(of: clips[0]), caption: "Points of \(clips[0].name)"))
        } else if !clipAnswers.rows.isEmpty {
            blocks.append(.table(clipAnswers, caption: "Answers clip by clip"))
            if !groupAnswers.rows.isEmpty { blocks.append(.table(groupAnswers, caption: "Answers group by group")) }
        }
        if let legend { blocks.append(.paragraph(legend)) }
        let warnings = clips.flatMap { clip in
            clip.notes.map { "Note: \(clips.count > 1 ? clip.name + ": " : "")\($0)." }
        }
        let all = warnings + remarks.map { $0 + "." } + (timing?.caveats ?? [])
        if !all.isEmpty { blocks.append(.list(all.map { [$0] })) }
        return Outline(blocks: blocks)
    }

    /// What those want to know who ask for more.
    var rest: Outline {
        let costs = ending + (self.costs ?? Outline(blocks: []))
        return clips.reduce(costs) { $0 + Outline(blocks: [.heading($1.name)]) + details(of: $1) } + origin
    }

    /// What encoding cost; nil without times.
    var costs: Outline? {
        let single = singleCostSentences
        return timing.map { $0.outline + Outline(blocks: single.isEmpty ? [] : [.list(single.map { [$0] })]) }
    }

    /// All that there is of one clip, below its name.
    func details(of clip: Clip) -> Outline {
        var blocks: [Outline.Block] = []
        if clips.count > 1 {
            blocks += [.paragraph(clip.title + "."), .table(points(of: clip), caption: "Points of \(clip.name)")]
        }
        let answers = answers(on: clip)
        if !answers.rows.isEmpty { blocks.append(.table(answers, caption: "Bytes at equal quality on \(clip.name)")) }
        let scenes = worstScenes(of: clip)
        if !scenes.rows.isEmpty {
            blocks += [.paragraph(worstScenesNote), .table(scenes, caption: "Worst scenes of \(clip.name)")]
        }
        return Outline(blocks: blocks) + clip.findings(headline: scores.compared.first) + clip.commands
    }

    /// What is said below all clips: what they come to, and whether a claim holds.
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
            if !pairTests.isEmpty { blocks.append(.list(pairTestSentences.map { [$0] })) }
        }
        if let verdict {
            blocks += [
                .heading(verdict.claim + "?"),
                .list(verdict.findings.map { ["\($0.judgement.words) \($0.sentence)."] }),
                .paragraph(verdict.explanation + "."),
            ]
        }
        return Outline(blocks: blocks)
    }

    /// What made the numbers.
    var origin: Outline {
        let codecs = libraries.joined(separator: "; ")
        // Files that something else encoded have no processor.
        guard !processors.isEmpty else { return Outline(blocks: [.paragraph("Codecs: \(codecs).")]) }
        let threads = threadsPerEncoder.map(String.init) ?? "the library's choice"
        return Outline(blocks: [
            .paragraph(
                "Sizes and qualities depend on the libraries, not on the time they take: \(codecs). Threads per encoder: "
                    + "\(threads). Processor: \(processors.joined(separator: "; ")). encbench \(encbench).")
        ])
    }
}

extension ComparisonReport {
    /// This report with clips named by the last parts of their paths, as far as that tells them apart.
    var withShortNames: ComparisonReport {
        guard let short = ShortNames(clips.map(\.name)) else { return self }
        var report = self
        for index in clips.indices { report.clips[index].name = short(clips[index].name) }
        for index in groups.indices { report.groups[index].clips = groups[index].clips.map { short($0) } }
        guard var timing else { return report }
        for index in timing.entries.indices { timing.entries[index].clip = short(timing.entries[index].clip) }
        for index in timing.pairs.indices { timing.pairs[index].clip = short(timing.pairs[index].clip) }
        report.timing = timing
        return report
    }
}

extension ComparisonReport.Clip {
    /// "a.y4m: 640x360 i420, 24.00 frames/s, 48 frames".
    var title: String {
        let rate = framesPerSecond.map { ", " + Format.fixed($0, 2) + " frames/s" } ?? ""
        let cut = isCut ? " (the first of more)" : ""
        return "\(name): \(width)x\(height) \(pixelFormat)\(rate), \(Format.counted(frames, "frame"))\(cut)"
    }

    /// What the libraries' own programs are called with to make the same streams, and why they cannot.
    var commands: Outline {
        let lines = distinct(points.map(\.variant)).compactMap { variant in
            points.first { $0.variant == variant }?.command
        }
        var blocks: [Outline.Block] =
            lines.isEmpty ? [] : [.commands("The same with the libraries' own programs:", lines)]
        if let programObstacle {
            blocks.append(.paragraph("No commands\(lines.isEmpty ? "" : " for others"): \(programObstacle)."))
        }
        return Outline(blocks: blocks)
    }
}
