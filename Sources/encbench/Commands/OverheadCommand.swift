// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import SyntheticPictures
import MediaFiles
import PictureQuality

/// `encbench overhead`.
struct OverheadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overhead", abstract: "Shows what encbench costs beside the x264, x265 and ffmpeg programs.",
        discussion: """
            Each clip is written as Y4M once, and encoded by encbench, by the library's own program and by ffmpeg with the \
            same settings and one thread, unless --threads says otherwise: first once, to compare the streams NAL unit by NAL unit, then in rounds \
            of random order, whose times are compared within each round. The program against itself shows what noise does.

            Examples:
              encbench overhead clip.mkv
              encbench overhead clip.y4m --encoder x265 --preset fast --crf 26 --rounds 15

            Ends with status 1 where a program makes other slices.
            """)

    @OptionGroup var question: QuestionOptions
    @OptionGroup(title: RateOptions.title) var rate: RateOptions
    @OptionGroup var programs: MetricToolOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rounds, 1 to 10000; 6 or more for an interval. Default: 9.", valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 1...10_000) })
    var rounds = 9

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What the order of encodes follows from, \(OptionParsing.seeds); default: a new one.", valueName: "n"),
        transform: OptionParsing.seed)
    var seed: UInt64?

    func validate() throws {
        for kind in question.encoder where kind.program == nil {
            let names = EncoderKind.allCases.compactMap(\.program?.name).joined(separator: " or ")
            throw ValidationError("--encoder \(kind.name) has no program of its own to compare with, expected \(names)")
        }
    }

    func run() async throws {
        var question = try Question(question, threads: question.options.comparedThreadCount)
        try await question.plan { [question] variant, clip, encoder in
            [try await question.planner().point(variant, rate.rateControl, of: clip, on: encoder)]
        }
        var report = OverheadReport(rounds: rounds, seed: seed ?? UInt64.random(in: 0...999_999))
        var generator = SplitMix64(state: report.seed)
        var answers = Answers<Never>(study: question.study, failures: question.study.failures)
        let start = MachineLoad.now()
        for point in question.study.points where !question.interruption.hasHappened {
            do {
                if let entry = try await entry(point, question, using: &generator) { report.entries.append(entry) }
            } catch {
                answers.fail(point, error)
            }
        }
        report.othersCores = MachineLoad.othersCores(since: start)
        report.failures = answers.failures
        report.isInterrupted = question.interruption.hasHappened
        try question.finish(report)
    }

    private func entry(
        _ point: PointSpec, _ question: Question, using generator: inout SplitMix64
    ) async throws -> OverheadReport.Entry? {
        let folder = try Y4MFolder(point, interruption: question.interruption)
        guard !question.interruption.hasHappened else { return nil }
        let variant = question.study.variants[point.variant]
        // The same settings for the Y4M file, which has no size or format to be told.
        let planner = try question.planner(inputs: ClipInput())
        var clip = try planner.clip(folder.input, interruption: question.interruption)
        clip.facts.path = "in.y4m"
        let backend = try point.work.backend
        let encoder = try await backend.encoder(naming: try point.work.configuration().codec)
        let copy = try await planner.point(variant, rate.rateControl, of: clip, on: encoder)
        let session = try await copy.work.makeSession(logger: question.logger)
        try await session.prepare()
        let settings = session.effective
        session.invalidate()
        let kind = try variant.kind
        guard let program = kind.program, let words = ProgramCommand.words(kind, settings, of: copy.work) else {
            let obstacle = ProgramCommand.obstacle(kind, settings, of: copy.work)
            throw CommandFailure(obstacle ?? "\(variant.encoder) has no program of its own")
        }
        let race = ProgramRace(
            encode: try planner.words(variant, rate.rateControl, of: clip, on: encoder), program: program,
            words: words, ffmpeg: programs.tools.ffmpeg, folder: folder, rounds: rounds,
            interruption: question.interruption)
        var bar = ProgressBar(unit: "encodes", plainInterval: 10)
        defer { bar.clear() }
        let outcome = try race.outcome(using: &generator) { done, total in
            bar.update(done: done, total: total, label: variant.label)
        }
        return outcome.map {
            OverheadReport.Entry(
                clip: question.study.clips[point.clip].name, variant: variant.label, library: encoder.libraryVersion,
                rate: point.rate, frames: folder.frameCount, race: $0)
        }
    }
}
