// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension ReportFormat {
    /// One line of values for each point, as RFC 4180 writes them; a score is empty where pictures equal their sources.
    package static let csv = ReportFormat(summary: "Write one line of values for each point") { report in
        let titles =
            [
                "clip", "width", "height", "frames", "seconds", "encoder", "codec", "variant", "preset", "tune", "rate",
                "default",
            ]
            + ["bytes", "bits_per_second"] + report.scores.map(\.id) + ["library"]
        // Times are there for the points that were timed, with the comparison's number of threads.
        let timing = report.timing.map { _ in CSV.timingTitles } ?? []
        var lines = [titles + timing]
        for clip in report.clips {
            for point in clip.points {
                lines.append(
                    [
                        clip.name, "\(clip.width)", "\(clip.height)", "\(clip.frames)", "\(clip.seconds)",
                        point.encoder, point.codec,
                    ]
                        + [point.variant, point.preset ?? "", point.tune ?? "", point.rate, "\(point.isDefault)"]
                        + ["\(point.bytes)", "\(point.bitsPerSecond)"]
                        + report.scores.map { score in point.value(score.id).map { "\($0)" } ?? "" }
                        + [point.library]
                        + (report.timing?.cells(of: point, clip: clip, threads: report.threadsPerEncoder) ?? []))
            }
        }
        return Array(lines.map { $0.map(CSV.field).joined(separator: ",") + "\r\n" }.joined().utf8)
    }
}

extension TimingReport {
    /// What a point took, in the order of the titles; empty cells for one that was not timed.
    fileprivate func cells(
        of point: ComparisonReport.Point, clip: ComparisonReport.Clip, threads: Int?
    ) -> [String] {
        let entry = entries.first {
            $0.clip == clip.name && $0.variant == point.variant && $0.rate == point.rate && $0.threads == threads
                && !point.isDefault
        }
        let ratios = ratios(of: point, clip: clip, threads: threads)
        guard let entry else { return CSV.timesTitles.map { _ in "" } + ratios }
        let latencies = entry.delay?.latencies
        let numbers = [
            entry.framesPerSecond, entry.wallSeconds, entry.cpuSeconds, entry.peakResidentBytes.map { Double($0) },
            latencies?.p50, latencies?.p95, latencies?.p99,
        ]
        return numbers.map { $0.map { Format.shortest($0) } ?? "" } + [entry.delay.map { "\($0.framesHeld)" } ?? ""]
            + ratios
    }

    /// What a point's curve takes at equal quality, beside the points that tell it; against several anchors, one after
    /// the other.
    private func ratios(
        of point: ComparisonReport.Point, clip: ComparisonReport.Clip, threads: Int?
    ) -> [String] {
        let answers = pairs.compactMap { pair -> [String]? in
            guard let equal = pair.atEqualQuality, pair.clip == clip.name, pair.test == point.variant,
                pair.threads == threads,
                equal.testRates.contains(point.rate), !point.isDefault
            else { return nil }
            let numbers = [equal.quality, equal.cpuRatio.median, equal.wallRatio.median]
            return [pair.anchor, pair.score] + numbers.map { Format.shortest($0) }
        }
        return CSV.ratioTitles.indices.map { column in answers.map { $0[column] }.joined(separator: "; ") }
    }
}

/// Values separated by commas.
enum CSV {
    /// What times add.
    fileprivate static var timingTitles: [String] { timesTitles + ratioTitles }
    fileprivate static let timesTitles = [
        "frames_per_second", "wall_seconds", "cpu_seconds", "peak_resident_bytes", "latency_p50_seconds",
        "latency_p95_seconds", "latency_p99_seconds", "frames_held",
    ]
    fileprivate static let ratioTitles = [
        "equal_quality_anchor", "equal_quality_score", "equal_quality", "cpu_ratio", "wall_ratio",
    ]

    /// A value, quoted where it has to be.
    static func field(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
        guard needsQuotes else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
