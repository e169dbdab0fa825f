// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension ComparisonReport {
    /// The points of a clip.
    func points(of clip: Clip) -> TextTable {
        let scores = scores.shown
        var table = TextTable(
            [.words("encoder"), .words("setting"), .number("bytes"), .number("bit/s")]
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

    /// What each clip gives by the headline's score, and what it takes of time; without rows where none gives an
    /// answer.
    var clipAnswers: TextTable {
        let pairs = clips.flatMap(\.pairs)
        let hasPairs = Set(pairs.map { [$0.anchor, $0.test] }).count > 1
        var columns: [TextTable.Column] = [
            .words("clip"), .number("bytes"), .number("from"), .number("to"), .number("CPU"), .number("time"),
        ]
        if hasPairs { columns.insert(.words("against"), at: 1) }
        var table = TextTable(columns)
        for clip in clips {
            for pair in clip.pairs {
                guard let answer = pair.equalQuality.first(where: { $0.score == scores.compared.first?.id }) else {
                    continue
                }
                let score = Score.named(answer.score)
                let cost = timing?.pairs.first {
                    $0.clip == clip.name && $0.anchor == pair.anchor && $0.test == pair.test
                        && $0.threads == threadsPerEncoder
                }?.atEqualQuality
                table.add(
                    [clip.name] + (hasPairs ? ["\(pair.test) against \(pair.anchor)"] : [])
                        + [Format.change(answer.pchip), Format.fixed(answer.overlapLow, score?.decimals ?? 2)]
                        + [score?.text(answer.overlapHigh) ?? "\(answer.overlapHigh)"]
                        + [cost?.cpuRatio, cost?.wallRatio].map { $0.map { Format.fixed($0.median, 2) + "x" } ?? "-" })
            }
        }
        return table
    }

    /// What the curves need by the headline's score on clips that have something in common; without rows where there
    /// are no such groups.
    var groupAnswers: TextTable {
        let pairs = Set(groups.flatMap(\.answers).map { [$0.anchor, $0.test] })
        var columns: [TextTable.Column] = [
            .words("group"), .number("bytes"), .number("95 % interval"), .words("clips"),
        ]
        if pairs.count > 1 { columns.insert(.words("against"), at: 1) }
        var table = TextTable(columns)
        for group in groups {
            for answer in group.answers where answer.score == scores.compared.first?.id {
                table.add(
                    [group.name] + (pairs.count > 1 ? ["\(answer.test) against \(answer.anchor)"] : []) + [
                        Format.change(answer.rateChange), answer.intervalCell,
                        "\(answer.clips) of \(group.clips.count)",
                    ])
            }
        }
        return table
    }

    /// What the titles of the first screen's table mean to those who have not seen them; nil without a table.
    var legend: String? {
        if clips.count > 1 {
            guard !clipAnswers.rows.isEmpty, let score = scores.compared.first else { return nil }
            return
                "bytes: how many fewer or more at the same \(score.title), from and to which it was compared. CPU and "
                + "time: how many times as much."
        }
        guard let points = clips.first?.points else { return nil }
        func has(_ word: String) -> Bool { points.contains { $0.rate.hasPrefix(word) } }
        let terms = [
            has("crf")
                ? "crf: the setting that decides the quality, on a scale of each encoder's own; a lower number is "
                    + "a better picture and more bytes." : nil,
            has("qp") ? "qp: how coarsely the encoder rounds; lower is better and takes more bytes." : nil,
            has("default") ? "default: what the library does unasked; the defaults are not of the same quality." : nil,
        ].compactMap { $0 }
        let measures = scores.shown.map(\.title).joined(separator: ", ")
        return
            (terms + [
                "\(measures): measures of quality; more is better. Bytes at the same quality are read from curves through "
                    + "these encodes."
            ]).joined(separator: " ")
    }

    /// What the curves need at equal quality over all clips.
    var overallAnswers: TextTable {
        var table = TextTable([
            .words("against"), .words("measure"), .number("rate at equal quality"), .number("95 % interval"),
            .words("clips"),
        ])
        for answer in overall {
            table.add([
                "\(answer.test) against \(answer.anchor)", Score.title(ofID: answer.score),
                Format.change(answer.rateChange), answer.intervalCell, "\(answer.clips) of \(clips.count)",
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

extension ComparisonReport.Overall {
    /// "-16.0 % to +5.0 %, not decided", or "-" for fewer than three clips.
    fileprivate var intervalCell: String {
        guard let low, let high else { return "-" }
        return "\(Format.change(low)) to \(Format.change(high))" + (isUndecided ? ", not decided" : "")
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
}

extension ComparisonReport {
    /// What took the values of metrics that this program does not: "VMAF by libvmaf 3.0.0, vmaf_v0.6.1, ffmpeg 7.1".
    var makers: [String] {
        metrics.flatMap { [maker(of: $0), newer(than: $0)].compactMap { $0 } }
    }

    /// What was not measured, although it is the newer one of its kind; nil where it was, and where there is none.
    private func newer(than measure: Measure) -> String? {
        guard let newer = Metric.named(measure.name)?.newer, let metric = Metric.named(newer.name),
            !metrics.contains(where: { $0.name == newer.name })
        else { return nil }
        return "\(metric.scores.first?.title ?? newer.name) was not measured: it takes \(newer.source)"
    }

    /// What took a metric's values; nil where this program did.
    private func maker(of measure: Measure) -> String? {
        guard let metric = Metric.named(measure.name) else { return nil }
        if case .builtIn = metric.method { return nil }
        let maker = "\(metric.scores.first?.title ?? measure.name) by \(measure.measuredBy)"
        guard let rows = metric.expectedRows, !MetricTools.isScaled(measure.measuredBy),
            clips.contains(where: { $0.height != rows })
        else { return maker }
        return maker + ", of pictures as large as they are: its model was made for \(rows) rows, and smaller ones get "
            + "better values (--vmaf-scale)"
    }
}
