// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import PictureQuality

/// Which programs metrics use.
struct MetricToolOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The ffmpeg to run where one is needed; default: \(MetricTools.variable(for: MetricTools.usualFFmpeg)), or ffmpeg in PATH.",
            valueName: "program"))
    var ffmpeg: String?

    @Option(
        help: ArgumentHelp(
            "A program that compares two pictures in PNG files for a metric, such as ssimulacra2=./ssimulacra2_rs; may be repeated. "
                + "Default: ENCBENCH_ and the name in upper case, or the name in PATH.",
            valueName: "name=program"),
        transform: OptionParsing.metricProgram)
    var metricProgram: [NamedProgram] = []

    /// The programs; of several for one name the last.
    var tools: MetricTools {
        var named = Dictionary(metricProgram.map { ($0.name, $0.program) }) { $1 }
        named[MetricTools.usualFFmpeg] = ffmpeg
        return MetricTools(named)
    }

    /// The programs, with pictures scaled for a model or not.
    func tools(scaling: Bool) -> MetricTools {
        var tools = tools
        tools.scalesPictures = scaling
        return tools
    }
}

/// What is measured.
struct MetricOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Measures of quality, the first for the headline: \(Metric.names). With vmaf, vmaf-v1 is measured too, where "
                + "ffmpeg has it, and leads where no clip is too small for it. Default: \(Metric.usual.map(\.name).joined(separator: ",")).",
            valueName: "list"),
        transform: OptionParsing.metrics)
    var metric: [Metric] = Metric.usual

    @Flag(help: MetricScale.help)
    var vmafScale = false

    @OptionGroup var programs: MetricToolOptions

    func validate() throws {
        try MetricScale.check(vmafScale, of: metric)
    }

    /// What is measured with the programs at hand.
    var measured: [Metric] { metric.withNewer(tools) }

    /// What is measured, in the order of a report on some clips.
    func measured(of clips: [ClipFacts]) -> [Metric] {
        let sides = vmafScale ? [] : clips.map { min($0.width, $0.height) }
        return measured.ordered(askedFor: metric, sides: sides)
    }

    /// The programs, and how they are given pictures.
    var tools: MetricTools { programs.tools(scaling: vmafScale) }
}

/// What is said of pictures that a model was not made for.
enum MetricScale {
    /// Refuses to scale for a model that is not asked.
    static func check(_ isScaled: Bool, of metrics: [Metric]) throws(ValidationError) {
        guard isScaled, !metrics.contains(where: { $0.expectedRows != nil }) else { return }
        let names = metrics.map(\.name).joined(separator: ", ")
        throw ValidationError("--vmaf-scale is for vmaf, but what is measured is \(names)")
    }

    static let help = ArgumentHelp(
        "Scale pictures to the rows that VMAF's model was made for, 1080 or for 4K 2160; smaller pictures get better values without. "
            + "Default: as large as they are.")
}
