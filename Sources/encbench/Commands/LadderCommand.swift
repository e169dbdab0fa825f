// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles
import PictureQuality

/// `encbench ladder`.
struct LadderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ladder", abstract: "Shows in which size to send a clip at which bit rate.",
        discussion: """
            Encodes each clip in several sizes at several qualities, decodes, scales the pictures back to the clip's own size, \
            and measures them there. Tells for each encoder which size is best up to which bit rate, where H.265 lets you send a \
            larger size than H.264, and rungs: encodes to send; the files have the convex hull of all sizes' encodes too. A ladder is its clip's: a calmer clip is sent larger at the same bits.

            Examples:
              encbench ladder clip.mkv
              encbench ladder clip.mkv --sizes 1280x720,960x540,640x360 --metric vmaf --store results
              encbench ladder clip.y4m --encoder x265 --preset slow --crf 20,24,28,32,36,40 --json ladder.json

            After Ctrl-C the report has what was finished before, and the same command with --store goes on from there.
            """)

    @OptionGroup var question: QuestionOptions
    @OptionGroup(title: "Quality") var quality: MetricOptions
    @OptionGroup(title: "Ladder") var ladder: LadderOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var memory: MemoryOptions

    func validate() throws {
        if let frames = question.inputOptions.frames, frames < LadderReport.fewestFrames {
            throw ValidationError("--frames \(frames): a clip \(LadderReport.fewFrames(frames))")
        }
    }

    func run() async throws {
        let metrics = quality.measured
        try ladder.checkFiles(inputs: question.inputs, json: question.json)
        var question = try Question(
            question, threads: question.options.comparedThreadCount, metrics: metrics, tools: quality.tools,
            budget: memory.budget)
        let planner = try question.planner()
        try await question.plan { variant, clip, encoder in
            if let count = clip.facts.expectedFrames, count < LadderReport.fewestFrames {
                throw EncoderBenchError(
                    .notComparable, reason: "\(clip.facts.name): \(LadderReport.fewFrames(count))")
            }
            let sizes = ladder.sizes.isEmpty ? LadderSizes.usual(for: clip.facts.size) : ladder.sizes
            try LadderSizes.check(sizes, of: clip.facts)
            var points: [PointSpec] = []
            for size in sizes {
                for rate in ladder.rates(for: try variant.kind) {
                    var point = try await planner.point(variant, rate, of: clip, on: encoder, scaledTo: size)
                    point.rate = "\(size.text), " + point.rate
                    points.append(point)
                }
            }
            return points
        }
        let answers = try await question.answers(QualityRun(), store: storeOptions)
        let score = try Self.headline(quality.measured(of: answers.study.clips))
        let report = LadderReport(
            answers, score: score, measuredBy: planner.measuredBy, scaledBy: try PictureScaler.maker(),
            step: ladder.step)
        var files: [(path: String, bytes: [UInt8])] = []
        if let csv = ladder.csv { files.append((csv, LadderCSV.bytes(report))) }
        if let html = ladder.html { files.append((html, Array(LadderPage(report).html.utf8))) }
        try question.finish(report, files: files)
    }

    /// The score that is the quality: the first that curves are made of.
    private static func headline(_ metrics: [Metric]) throws(CommandFailure) -> Score {
        guard let score = metrics.scores.compared.first else {
            throw CommandFailure("no curve is made of \(metrics.map(\.name).joined(separator: ", "))")
        }
        return score
    }
}
