// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench

/// `encbench rate`.
struct RateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate", abstract: "Shows how exactly encoders keep bit rates and data-rate limits.",
        discussion: """
            Encodes each clip at several bit rates, each with several peaks: none, and limits on what any window may carry. \
            Shows the mean that came out beside the one that was asked, and the largest window beside the limit, on decode \
            times. Rate control needs some seconds to settle: take clips of ten seconds or more.

            Examples:
              encbench rate clip.mkv
              encbench rate clip.y4m --average-bit-rate 500k,1M,2M --peak none,1.2,1 --window 0.5
              encbench rate clip.y4m --average-bit-rate 2M --peak none --data-rate-limit 300000/1 --encoder x265

            Ends with status 1 where a limit is broken.
            """)

    @OptionGroup var question: QuestionOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Mean bit rates in bit/s, 1k to 1G, such as 500k,1M; default: three that suit the size of the pictures.",
            valueName: "list"),
        transform: OptionParsing.bitRates)
    var averageBitRate: [Int] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many times the mean a window may carry, 1 to 100; none for no limit, 1 for a constant bit rate. With a small peak "
                + "and window key frames need more than a window may carry; the mean is then lowered, and the report lists it. "
                + "Default: none,1.5,1.",
            valueName: "list"),
        transform: OptionParsing.ratePeaks)
    var peak: [RatePeak] = [.free, .times(1.5), .times(1)]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the windows, 0.001 to 3600; default: 1.", valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0.001...3600) })
    var window = 1.0

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var memory: MemoryOptions

    func run() async throws {
        var question = try Question(
            question, threads: question.options.comparedThreadCount, budget: memory.budget)
        try await question.plan { [question] variant, clip, encoder in
            var points: [PointSpec] = []
            for rate in averageBitRate.isEmpty ? RateReport.usualRates(for: clip.facts) : averageBitRate {
                for peak in peak {
                    let limit = peak.limit(averageBitRate: rate, window: window)
                    let planner = try question.planner { options in
                        if let limit { options.dataRateLimit.append(limit) }
                    }
                    do {
                        var point = try await planner.point(variant, .averageBitRate(rate), of: clip, on: encoder)
                        point.rate += ", peak " + peak.label
                        points.append(point)
                    } catch let error as EncoderError {
                        let others = !question.options.options.dataRateLimit.isEmpty
                        throw peak.blamed(for: error, window: window, amongOthers: others)
                    }
                }
            }
            return points
        }
        let answers = try await question.answers(StreamRun(), store: storeOptions)
        try question.finish(try RateReport(answers, window: window))
    }
}
