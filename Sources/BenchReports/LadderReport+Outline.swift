// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension LadderReport {
    /// All that the report says, clip by clip.
    ///
    /// - Parameter isWhole: Whether each encode has a row, beside the rungs.
    /// - Returns: What text, Markdown and HTML render.
    func outline(isWhole: Bool) -> Outline {
        let outlines = withShortNames.sections(isWhole: isWhole).map(\.outline) + [Outline(blocks: ending)]
        return outlines.reduce(Outline(blocks: [])) { $0 + $1 }
    }

    /// What the report says of each clip.
    func sections(isWhole: Bool) -> [LadderSection] {
        clips.map { LadderSection(clip: $0, score: Score.named(score), scoreID: score, isWhole: isWhole) }
    }

    /// How all of it was found, and what is missing.
    var ending: [Outline.Block] {
        var blocks: [Outline.Block] = [.heading("How it was measured")]
        blocks += failures.map { .paragraph("No answer for \($0.name): \($0.reason).") }
        if isInterrupted { blocks.append(.paragraph("Interrupted: encodes are missing.")) }
        guard !clips.isEmpty else { return blocks }
        let quality = Score.named(score)?.title ?? score
        blocks.append(
            .paragraph(
                "Rungs are encodes than which no other size is better at their bit rate; each has at least "
                    + "\(Format.shortest(step)) times the bits of the one below. Pictures are scaled by \(scaledBy), down to be encoded and "
                    + "back to the source's size, at which \(quality) is measured: other filters, and players that scale "
                    + "otherwise, move the borders. Between encodes borders are interpolated."))
        blocks += adjustments.map { .paragraph("Note: \($0).") }
        let makers = measuredBy.sorted { $0.key < $1.key }.map { "\($0.key) by \($0.value)" }.joined(separator: "; ")
        blocks.append(.paragraph((libraries + [makers]).joined(separator: "; ") + "."))
        return blocks
    }
}

/// What a ladder says of one clip.
struct LadderSection {
    let clip: LadderReport.Clip
    /// The quality; nil for one that this version does not know.
    let score: Score?
    let scoreID: String
    /// Whether each encode has a row.
    let isWhole: Bool

    var outline: Outline {
        var blocks: [Outline.Block] = [.heading(title)]
        blocks += (clip.curves.map(choices) + clip.pairs.flatMap(sentences)).map { .paragraph($0) }
        blocks.append(.chart)
        for curve in clip.curves {
            guard let variant = curve.variant, !curve.rungs.isEmpty else { continue }
            blocks.append(.paragraph("Rungs, encodes to send, with \(name(variant)):"))
            blocks.append(.table(rungs(curve), caption: "Rungs of \(clip.name) with \(variant)"))
        }
        for variant in isWhole ? distinct(clip.points.map(\.variant)) : [] {
            blocks.append(.paragraph("All encodes with \(name(variant)):"))
            blocks.append(.table(encodes(variant), caption: "Encodes of \(clip.name) with \(variant)"))
        }
        blocks += clip.notes.map { .paragraph("Note: \($0).") }
        return Outline(blocks: blocks)
    }

    private var title: String {
        "\(clip.name): \(clip.width)x\(clip.height), \(clip.frames) frames, \(Format.fixed(clip.seconds, 2)) s"
    }

    // MARK: - Sentences

    /// What to send with one curve: "With x264 (H.264) send 640x360 up to 812.3 kbit/s, and 1280x720 above".
    private func choices(_ hull: LadderHull) -> String {
        let name = name(hull.variant ?? "")
        guard let first = hull.choices.first, let last = hull.choices.last else {
            return "With \(name) there is no encode with a quality."
        }
        let (low, high) = (Format.bitRate(first.from), Format.bitRate(last.to))
        let range = low == high ? low : "\(low) to \(high)"
        // Others are planned always: an interruption, or failures, left them out.
        let sizes = Set(clip.points.filter { $0.variant == hull.variant }.map(\.size.text))
        guard sizes.count > 1 else { return "With \(name) only \(first.size.text) was encoded, \(range)." }
        guard low != high else { return "With \(name) \(first.size.text) at \(low) is as good as any other encode." }
        guard hull.choices.count > 1 else {
            return "With \(name) send \(first.size.text) at every bit rate that was tried, \(range): no other size is "
                + "better."
        }
        let parts = hull.choices.dropLast().map { "\($0.size.text) up to \(Format.bitRate($0.to))" }
        return "With \(name) send \(parts.joined(separator: ", ")), and \(last.size.text) above, as far as was tried: "
            + "\(range)."
    }

    private func sentences(_ pair: LadderPair) -> [String] {
        let (anchor, test) = (name(pair.anchor), name(pair.test))
        var sentences: [String] = []
        let larger = pair.differences.filter(\.isLarger)
        if pair.low == nil {
            sentences.append("\(test) and \(anchor) were tried at no bit rate alike.")
        } else if larger.isEmpty {
            sentences.append(
                "At no bit rate that both were tried at is \(test) better sent in a larger size than \(anchor).")
        } else {
            sentences.append("At the same bit rate \(test) lets you send a larger size: \(Self.sizes(larger)).")
        }
        let smaller = pair.differences.filter { !$0.isLarger }
        if !smaller.isEmpty { sentences.append("\(test) is better sent smaller: \(Self.sizes(smaller)).") }
        if let least = pair.shares.map(\.byteShare).min(), let most = pair.shares.map(\.byteShare).max() {
            let range =
                Format.percent(least) == Format.percent(most)
                ? Format.percent(least) : "\(Format.percent(least)) to \(Format.percent(most))"
            let count = clip.curves.first { $0.variant == pair.anchor }?.rungs.count ?? 0
            let scope =
                pair.shares.count == count
                ? "the \(count == 1 ? "rung" : "\(count) rungs")" : "\(pair.shares.count) of the \(count) rungs"
            sentences.append("At the quality of \(scope) of \(anchor) it takes \(range) of the bits with \(test).")
        }
        return sentences
    }

    /// "1280x720 in place of 640x360 from 600.0 kbit/s to 1.20 Mbit/s" and so on.
    private static func sizes(_ differences: [LadderPair.Difference]) -> String {
        differences.map { difference in
            "\(difference.testSize.text) in place of \(difference.anchorSize.text) from "
                + "\(Format.bitRate(difference.from)) to \(Format.bitRate(difference.to))"
        }.joined(separator: ", ")
    }

    /// A curve's label with its codec: "x265 medium (H.265)".
    private func name(_ variant: String) -> String {
        let codec = clip.points.first { $0.variant == variant }?.codec
        return variant + (codec.map { " (\(Self.codecName($0)))" } ?? "")
    }

    static func codecName(_ codec: String) -> String { codec == "hevc" ? "H.265" : codec == "h264" ? "H.264" : codec }

    // MARK: - Tables

    private func rungs(_ curve: LadderHull) -> TextTable {
        var table = TextTable(titles)
        for place in curve.rungs { table.add(row(clip.points[place])) }
        return table
    }

    /// A curve's encodes, and which of them are the best at their bit rates.
    private func encodes(_ variant: String) -> TextTable {
        var table = TextTable(titles + [.words("best")])
        let best = Set(clip.curves.flatMap(\.front))
        for (place, point) in clip.points.enumerated() where point.variant == variant {
            table.add(row(point) + [best.contains(place) ? "yes" : ""])
        }
        return table
    }

    private var titles: [TextTable.Column] {
        [.words("size"), .number("bit/s"), .number(score?.heading ?? scoreID), .words("rate")]
    }

    private func row(_ point: LadderPoint) -> [String] {
        let value = point.value(scoreID)
        return [
            point.size.text, Format.grouped(Int(point.bitsPerSecond.rounded())),
            value.map { Format.fixed($0, score?.decimals ?? 2) } ?? "equal", point.rate,
        ]
    }
}
