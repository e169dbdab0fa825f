// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality

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
}
