// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import EncoderBench
import PictureQuality

/// `encbench realtime`.
struct RealTimeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "realtime",
        abstract: "Shows whether encoders keep up with a camera, and how late frames come out.",
        discussion: """
            Gives each picture when a camera would have it: at the clip's own times, or so many a second with --fps, whether or \
            not the encoder is ready; a picture for which there is no room is refused. Each encode has a process of its own, \
            one at a time, with the threads the library likes. The encoders are set up for real time: no lookahead, no B \
            pictures, and a fast preset unless --preset names another.

            Latency is from giving a picture to its frame's coming out. A frame is late when it comes after its time \
            at a receiver that started with the first frame and buffers one interval. A frame is dropped that the encoder took and \
            rate control left out. An encoder keeps up where nothing is refused or dropped and frames are not late at the end.

            Unless a setting is asked for, all encoders of a clip are held to the same quality: the PSNR that the first gives by its \
            own default, or --psnr. The others' settings are searched for as target does, which encodes the clip several times. \
            The answer is the fastest that keeps up, by the median of the latencies, and what the others do and take.

            Examples:
              encbench realtime clip.mkv
              encbench realtime clip.mkv --psnr 38 --encoder x265,x264
              encbench realtime clip.y4m --fps 60 --average-bit-rate 4M --encoder x265
              encbench realtime clip.y4m --preset medium --tune zerolatency --threads 2
            """)

    @OptionGroup var question: QuestionOptions
    @OptionGroup(title: RateOptions.title) var rate: RateOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pictures a second, 0.01 to 1000, such as 30 or 30000/1001; default: the clip's times.", valueName: "n"),
        transform: OptionParsing.frameRate)
    var fps: FrameRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "PSNR of luma that all encoders are held to, 10 to 100; default: what the first has by its own default, or none for one "
                + "encoder and where a setting is asked for.",
            valueName: "dB"),
        transform: { try OptionParsing.number($0, in: 10...100) })
    var psnr: Double?

    func validate() throws {
        if psnr != nil, let given = rate.given.first {
            throw ValidationError("--psnr and \(given) exclude each other; give one of them")
        }
    }

    func run() async throws {
        let isHeldEqual = psnr != nil || rate.given.isEmpty && question.variants.count > 1
        var question = try Question(
            question, threads: question.options.threads?.count, metrics: isHeldEqual ? [.squaredError] : [])
        // For each clip the quality of its first encoder; nil where that one's pictures equal their sources.
        var goals: [String: Double?] = [:]
        var qualities: [PointWork: RealTimeReport.EqualQuality] = [:]
        try await question.plan { [question] variant, clip, encoder in
            let planner = try question.planner { options in
                options.realTime = true
                if let fps { options.expectedFrameRate = fps }
            }
            guard isHeldEqual else {
                return [try await planner.point(variant, rate.rateControl, of: clip, on: encoder)]
            }
            let search = RealTimeSearch(
                planner: planner, runner: Runner(QualityRun(), jobs: 1, store: nil, in: question.context))
            let found: RealTimeSearch.Found?
            switch psnr.map(Optional.some) ?? goals[clip.facts.digest] {
            case .some(let goal?):
                found = try await search.found(goal: goal, variant, of: clip, on: encoder) { trial in
                    let quality = TargetGoal(metric: .squaredError, value: goal).score
                    StandardError.write(
                        "encbench: \(variant.label), \(trial.rate): \(trial.text(quality, goal: goal))\n")
                }
            case .some(nil):
                found = nil
            case nil:
                found = try await search.usual(variant, of: clip, on: encoder)
                goals.updateValue(found?.quality.goal, forKey: clip.facts.digest)
            }
            let point = try await planner.point(variant, found?.rate ?? .automatic, of: clip, on: encoder)
            qualities[point.work] = found?.quality
            return [point]
        }
        let start = MachineLoad.now()
        let run = PacedRun(frameRate: fps.map { "\($0.numerator)/\($0.denominator)" })
        var report = RealTimeReport(
            try question.answersAlone(run), frameRate: fps?.framesPerSecond, qualities: qualities)
        report.othersCores = MachineLoad.othersCores(since: start)
        try question.finish(report)
    }
}
