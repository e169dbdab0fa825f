// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension ComparisonReport {
    /// The points of a clip.
    func points(of clip: Clip) -> TextTable {
        let scores = scores.shown
        var table = TextTable(
            [.words("encoder"), .words("rate"), .number("bytes"), .number("bit/s")]
                + scores.map { .number($0.heading) })
        for point in clip.points {
            table.add(
                [
                    point.variant, point.rate, Format.grouped(point.bytes),
                    Format.grouped(Int(point.bitsPerSecond.rounded())),
                ] + scores.map { $0.cell(point) })
        }
        return table
    }

    /// What a clip's curves need at equal quality; without rows where none gives an answer.
    func answers(on clip: Clip) -> TextTable {
        var table = TextTable([
            .words("against"), .words("measure"), .number("BD-rate"), .number("lower half"), .number("upper half"),
        ])
        for pair in clip.pairs {
            for answer in pair.equalQuality {
                table.add([
                    "\(pair.test) against \(pair.anchor)", Score.title(ofID: answer.score),
                    Format.change(answer.pchip), Format.change(answer.lowerHalf), Format.change(answer.upperHalf),
                ])
            }
        }
        return table
    }

    /// What the curves need at equal quality over all clips.
    var overallAnswers: TextTable {
        var table = TextTable([
            .words("against"), .words("measure"), .number("rate at equal quality"), .number("95 % interval"),
            .words("clips"),
        ])
        for answer in overall {
            var interval = "-"
            if let low = answer.low, let high = answer.high {
                interval = "\(Format.change(low)) to \(Format.change(high))"
            }
            table.add([
                "\(answer.test) against \(answer.anchor)", Score.title(ofID: answer.score),
                Format.change(answer.rateChange), interval, "\(answer.clips) of \(clips.count)",
            ])
        }
        return table
    }

    /// What is missing and what a reader must know, a sentence each without its full stop.
    var remarks: [String] {
        failures.map { "Not compared: \($0.clip)\($0.point.map { ", " + $0 } ?? ""): \($0.reason)" }
            + notes.map { "Note: \($0)" } + (isInterrupted ? ["Interrupted: points are missing"] : []) + makers
    }
}

extension ComparisonReport {
    /// What pairs of several anchors do not tell, in sentences with their full stops; nil for one anchor.
    var anchorsNote: String? {
        let anchors = distinct(clips.flatMap { $0.pairs.map(\.anchor) })
        guard anchors.count > 1 else { return nil }
        let text = "Each against its own anchor: these numbers do not rank "
        // Curves of ready-made pairings are called otherwise than their encoders, and have no --anchor.
        let points = clips.flatMap(\.points)
        let selectable = anchors.filter { anchor in
            points.contains { $0.variant == anchor && anchor.hasPrefix($0.encoder + " ") }
        }
        guard let anchor = selectable.first(where: { $0.hasSuffix(" medium") }) ?? selectable.first else {
            return text + "the curves."
        }
        return text + "presets. --anchor \(anchor.shellWord) compares all with one."
    }
}

extension ComparisonReport.Clip {
    /// What was found of its pairs, for all forms.
    func findings(headline: Score?) -> Outline {
        Outline(blocks: pairs.isEmpty ? [] : [.list(pairs.map { $0.sentences(headline: headline) })])
    }

    /// "640x360, 24.00 frames/s, 48 frames".
    var summary: String {
        let rate = framesPerSecond.map { ", \(Format.fixed($0, 2)) frames/s" } ?? ""
        return "\(width)x\(height)\(rate), \(frames) frames"
    }
}

extension ComparisonReport {
    /// What took the values of metrics that this program does not: "VMAF by libvmaf 3.0.0, vmaf_v0.6.1, ffmpeg 7.1".
    var makers: [String] {
        metrics.compactMap { measure in
            guard let metric = Metric.named(measure.name), case .ffmpeg = metric.method else { return nil }
            return "\(metric.scores.first?.title ?? measure.name) by \(measure.measuredBy)"
        }
    }
}
