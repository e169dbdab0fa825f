// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import PictureQuality

/// Which programs metrics use.
struct MetricToolOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The ffmpeg to run where one is needed; default: \(MetricTools.variable), or ffmpeg in PATH.",
            valueName: "program"))
    var ffmpeg: String?

    /// The programs.
    var tools: MetricTools { MetricTools(ffmpeg: ffmpeg) }
}

/// What is measured.
struct MetricOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Measures of quality, the first for the headline: \(Metric.names). Default: \(Metric.usual.map(\.name).joined(separator: ",")).",
            valueName: "list"),
        transform: OptionParsing.metrics)
    var metric: [Metric] = Metric.usual

    @OptionGroup var programs: MetricToolOptions
}
