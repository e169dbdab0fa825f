// SPDX-License-Identifier: MIT

extension ReportFormat {
    /// One line of values for each point, as RFC 4180 writes them; a score is empty where pictures equal their sources.
    static let csv = ReportFormat { report in
        let titles =
            ["clip", "width", "height", "frames", "seconds", "encoder", "variant", "preset", "tune", "rate", "default"]
            + ["bytes", "bits_per_second"] + report.scores.map(\.id) + ["library"]
        var lines = [titles]
        for clip in report.clips {
            for point in clip.points {
                lines.append(
                    [clip.name, "\(clip.width)", "\(clip.height)", "\(clip.frames)", "\(clip.seconds)", point.encoder]
                        + [point.variant, point.preset ?? "", point.tune ?? "", point.rate, "\(point.isDefault)"]
                        + ["\(point.bytes)", "\(point.bitsPerSecond)"]
                        + report.scores.map { score in point.value(score.id).map { "\($0)" } ?? "" }
                        + [point.library])
            }
        }
        return Array(lines.map { $0.map(CSV.field).joined(separator: ",") + "\r\n" }.joined().utf8)
    }
}

/// Values separated by commas.
enum CSV {
    /// A value, quoted where it has to be.
    static func field(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
        guard needsQuotes else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
