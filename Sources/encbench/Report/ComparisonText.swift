// SPDX-License-Identifier: MIT

/// The report of `compare` as people read it.
enum ComparisonText {
    /// All clips, one after the other, and what they have in common.
    static func text(_ report: ComparisonReport) -> String {
        var text = report.clips.map { clip(_: $0, report) }.joined(separator: "\n")
        if report.clips.count > 1 { text += "\n" + overall(report.clips) }
        if report.isInterrupted { text += "\nInterrupted: points and clips are missing.\n" }
        for failure in report.failures { text += "\nNot compared to its end: \(failure.clip): \(failure.reason).\n" }
        let load = report.machine.loadAverage.map { ", load average " + Format.fixed($0, 1) } ?? ""
        let threads = report.threadsPerEncoder.map(String.init) ?? "the library's choice"
        text += """

            Measured on \(report.machine.processor), \(report.machine.threads) hardware threads\(load).
            Threads per encoder: \(threads). Libraries: \(libraries(report).joined(separator: "; ")).

            """
        if let memory = report.peakResidentBytes {
            text += "Peak memory of all of this: \(Format.fixed(Double(memory) / 1_048_576, 0)) MiB.\n"
        }
        return text
    }

    private static func libraries(_ report: ComparisonReport) -> [String] {
        var names: [String] = []
        for point in report.clips.flatMap(\.points) where !names.contains(point.library) { names.append(point.library) }
        return names
    }

    private static func clip(_ clip: ComparisonReport.ClipResult, _ report: ComparisonReport) -> String {
        let rate = clip.framesPerSecond.map { ", " + Format.fixed($0, 2) + " frames/s" } ?? ""
        let cut = clip.isCut ? " (the first of more; --frames takes others)" : ""
        var text =
            "\(clip.name): \(clip.width)x\(clip.height) \(clip.pixelFormat)\(rate), \(clip.frames) frames\(cut)\n\n"
        text += table(clip.points + clip.defaultPoints).text
        for pair in clip.pairs { text += "\n" + pairText(pair) }
        let commands = first(ofEachCurve: clip.points).compactMap(\.command)
        if !commands.isEmpty { text += "\nThe same with the libraries' own programs:\n" }
        for command in commands { text += "  \(command)\n" }
        for warning in clip.warnings { text += "Note: \(warning).\n" }
        return text
    }

    private static func first(ofEachCurve points: [ComparisonPoint]) -> [ComparisonPoint] {
        var seen: Set<String> = []
        return points.filter { seen.insert($0.encoder + " " + ($0.preset ?? "")).inserted }
    }

    private static func table(_ points: [ComparisonPoint]) -> TextTable {
        var table = TextTable([
            .words("encoder"), .words("preset"), .words("rate"), .number("bytes"), .number("bit/s"),
            .number("PSNR-Y dB"), .number("6:1:1 dB"), .number("SSIM"), .number("fps"), .number("CPU s"),
        ])
        for point in points {
            table.add([
                point.encoder, point.preset ?? "-", point.rate, Format.grouped(point.bytes),
                Format.grouped(Int(point.bitsPerSecond.rounded())),
                Format.fixed(point.quality.y.fromMeanSquaredError, 2),
                Format.fixed(point.quality.weighted.fromMeanSquaredError, 2),
                point.quality.ssim.map { Format.fixed($0, 4) } ?? "-", Format.fixed(point.encodeFramesPerSecond, 1),
                Format.fixed(point.cpuSeconds, 2),
            ])
        }
        return table
    }

    private static func pairText(_ pair: PairComparison) -> String {
        var text = "\(pair.test) against \(pair.anchor), which counts as 100 %:\n"
        if let headline = pair.equalQuality.first {
            let share = Format.fixed((1 + headline.pchip) * 100, 1)
            text += "  At equal quality it needs \(share) % of the bytes"
            text += " (\(headline.measure), BD-rate \(Format.change(headline.pchip))).\n"
            text += "    Other joins: akima \(Format.change(headline.akima)), cubic \(Format.change(headline.cubic)). "
            text +=
                "Lower half \(Format.change(headline.lowerHalf)), upper half \(Format.change(headline.upperHalf)).\n"
            if let low = headline.leaveOneOutLow, let high = headline.leaveOneOutHigh {
                text += "    Leaving one point out: \(Format.change(low)) to \(Format.change(high)).\n"
            }
            text += "    Compared from \(Format.fixed(headline.overlapLow, 1)) to "
            text += "\(Format.fixed(headline.overlapHigh, 1)) dB: \(Format.fixed(headline.anchorShare * 100, 0)) % and "
            text += "\(Format.fixed(headline.testShare * 100, 0)) % of the two curves.\n"
            let others = pair.equalQuality.dropFirst().map { "\($0.measure) \(Format.change($0.pchip))" }
            if !others.isEmpty { text += "    By other measures: \(others.joined(separator: ", ")).\n" }
        }
        for refusal in pair.refusals { text += "  No answer by \(refusal).\n" }
        if let naive = pair.atDefaults {
            let worse = Format.fixed(abs(naive.psnrYDifference), 1) + " dB "
            text +=
                "  At first sight (each library's default): \(Format.fixed(naive.sizeRatio * 100, 1)) % of the bytes, "
            text += "but PSNR-Y is \(worse)\(naive.psnrYDifference < 0 ? "lower" : "higher"): not the same quality.\n"
        }
        if let cpu = pair.cpuRatio { text += "  CPU time: \(Format.fixed(cpu, 2)) times.\n" }
        return text
    }

    /// Geometric means over clips: of 1 + change, so that halving and doubling cancel out.
    private static func overall(_ clips: [ComparisonReport.ClipResult]) -> String {
        var text = "All clips (geometric mean of the byte ratios at equal PSNR-Y):\n"
        var names: [String] = []
        for pair in clips.flatMap(\.pairs) where !names.contains("\(pair.test) against \(pair.anchor)") {
            names.append("\(pair.test) against \(pair.anchor)")
        }
        for name in names {
            let ratios = clips.flatMap(\.pairs).filter { "\($0.test) against \($0.anchor)" == name }.compactMap {
                $0.equalQuality.first { $0.measure == "PSNR-Y" }.map { 1 + $0.pchip }
            }
            guard let mean = PairComparison.geometricMean(ratios) else { continue }
            text += "  \(name): \(Format.change(mean - 1)) over \(ratios.count) of \(clips.count) clips\n"
        }
        return text
    }
}
