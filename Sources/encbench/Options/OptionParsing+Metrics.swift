// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality

/// `--metric-program NAME=PROGRAM`: what compares pictures for a metric.
struct NamedProgram: Sendable {
    let name: String
    /// A path, or a name in one of the folders of `PATH`.
    let program: String
}

extension OptionParsing {
    /// Metrics separated by commas, each once.
    static func metrics(_ text: String) throws(OptionError) -> [Metric] {
        var metrics: [Metric] = []
        for name in try list(text, of: { item throws(OptionError) in item }) {
            guard let metric = Metric.named(name) else {
                throw OptionError(.unknownName, "'\(name)', expected one of \(Metric.names)")
            }
            guard !metrics.contains(metric) else { throw OptionError(.repeated, "'\(name)' is listed twice") }
            metrics.append(metric)
        }
        return metrics
    }
    /// NAME=PROGRAM, of a program that some metric needs.
    static func metricProgram(_ text: String) throws(OptionError) -> NamedProgram {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let names = Metric.picturePrograms.map(\.name)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw OptionError(.malformed, "'\(text)', expected NAME=PROGRAM such as \(names[0])=./\(names[0])")
        }
        guard names.contains(parts[0]) else {
            throw OptionError(.unknownName, "'\(parts[0])', expected one of \(names.joined(separator: ", "))")
        }
        return NamedProgram(name: parts[0], program: parts[1])
    }
}
