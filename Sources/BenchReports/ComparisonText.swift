// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench
import PictureQuality

/// The report of a comparison as people read it, in pieces, so that it can appear while it comes about.
package struct ComparisonText: Sendable {
    private let study: Study
    private let layout: ComparisonTable
    private let width: Int?

    /// - Parameters:
    ///   - study: What is compared; the columns are as wide as its names.
    ///   - width: Characters in a line of the terminal; nil leaves all columns in.
    package init(study: Study, width: Int? = nil) {
        self.study = study
        self.width = width
        layout = ComparisonTable(study: study, width: width)
    }

    /// All pieces.
    package func text(_ report: ComparisonReport) -> String {
        report.clips.map { clip in
            opening(clip) + clip.points.map(row).joined() + closing(clip)
        }.joined(separator: "\n") + ending(report)
    }

    /// What stands above a clip's points.
    package func opening(_ clip: ComparisonReport.Clip) -> String {
        let rate = clip.framesPerSecond.map { ", " + Format.fixed($0, 2) + " frames/s" } ?? ""
        let cut = clip.isCut ? " (the first of more)" : ""
        let title = "\(clip.name): \(clip.width)x\(clip.height) \(clip.pixelFormat)\(rate), \(clip.frames) frames\(cut)"
        return TextFold.prose(title, width: width) + "\n\n" + layout.head
    }

    /// One point.
    package func row(_ point: ComparisonReport.Point) -> String { layout.row(point) }

    /// What stands below a clip's points.
    package func closing(_ clip: ComparisonReport.Clip) -> String {
        let pairs = clip.findings(headline: study.scores.compared.first).text(width: width)
        var text = pairs.isEmpty ? "" : "\n" + pairs
        let commands = study.variants.compactMap { variant in
            clip.points.first { $0.variant == variant.label }?.command
        }
        if !commands.isEmpty { text += "\nThe same with the libraries' own programs:\n" }
        for command in commands { text += TextFold.command(command, width: width) + "\n" }
        if let obstacle = clip.programObstacle {
            text += "\nNo commands\(commands.isEmpty ? "" : " for others"): \(obstacle).\n"
        }
        for note in clip.notes { text += "Note: \(note).\n" }
        return TextFold.prose(text, width: width)
    }

    /// What stands below all clips.
    package func ending(_ report: ComparisonReport) -> String { TextFold.prose(wholeEnding(report), width: width) }

    private func wholeEnding(_ report: ComparisonReport) -> String {
        let ending = report.ending.text(width: width)
        let text = ending.isEmpty ? "" : "\n" + ending
        let libraries = report.libraries.joined(separator: "; ")
        // Files that something else encoded have no processor.
        guard !report.processors.isEmpty else { return text + "\nCodecs: \(libraries).\n" }
        let threads = report.threadsPerEncoder.map(String.init) ?? "the library's choice"
        return text + """

            Sizes and qualities depend on the libraries, not on the time they take: \(libraries).
            Threads per encoder: \(threads). Processor: \(report.processors.joined(separator: "; ")).

            """
    }
}
