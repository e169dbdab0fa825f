// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench

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

            Examples:
              encbench realtime clip.mkv
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

    func run() async throws {
        var question = try Question(question, threads: question.options.threads?.count)
        try await question.plan { [question] variant, clip, encoder in
            let planner = try question.planner { options in
                options.realTime = true
                if let fps { options.expectedFrameRate = fps }
            }
            return [try await planner.point(variant, rate.rateControl, of: clip, on: encoder)]
        }
        let start = MachineLoad.now()
        let run = PacedRun(frameRate: fps.map { "\($0.numerator)/\($0.denominator)" })
        var report = RealTimeReport(try question.answersAlone(run), frameRate: fps?.framesPerSecond)
        report.othersCores = MachineLoad.othersCores(since: start)
        try question.finish(report)
    }
}
