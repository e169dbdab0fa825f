// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Logging
import MediaFiles

/// `encbench compare`, and `encbench` alone.
struct CompareCommand: StudyCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compares encoders on real video: size at equal quality, and cost.",
        discussion: """
            Each input is encoded by each encoder at several rates, decoded, and compared with its source picture by \
            picture. What counts is the number of bytes at equal quality (BD-rate), not at equal options. Without an \
            input, the clip that comes with encbench is used. All frames are used unless --frames says otherwise.

            Examples:
              encbench
              encbench compare clip.y4m --preset slow --json result.json
              encbench compare a.mkv b.mkv --encoder x264,x265 --qp 22,27,32,37 --frames 120
              encbench compare clip.y4m --preset slow:veryfast        (x264 slow against x265 veryfast)
              encbench compare clip.y4m --encoder x265 --preset medium,slow,veryfast
              encbench compare clip.y4m --rounds 9 --html report.html
              encbench compare a.mkv b.mkv --rounds 0                 (sizes and qualities alone)
              encbench compare clip.y4m --pairing live,best --html report.html
              encbench compare clip.y4m --variant x264:slow --variant x265:slow,aq-mode=2 --store results
              encbench compare clip.y4m --variant x264:slow --variant x265:slow,ProfileLevel=hevc-main10-auto  (ten bits)

            Sizes and qualities are measured on all cores at once, and never timed. Encoders are timed afterwards, one encode \
            at a time of pictures that are decoded already, with as many threads as --threads says and then with each library's \
            own choice: \(Self.budget.rounds) rounds of the one encode of each curve that is nearest to the middle of the \
            qualities that both reach, or of the two around it where the nearest are not as good as each other, and of as many of the clip's first frames as there is time for, which is \
            \(Format.shortest(Self.budget.seconds)) s for each clip, pair of curves and number of threads. --rounds times all \
            frames, each pair at one quality: a round has the encode of each curve at that quality, or the two between \
            which it lies, where their times are interpolated, and the anchor's once more as a control.

            After Ctrl-C, and after a clip that fails, the report has everything that was finished before, and the same \
            command with --store goes on from there.
            """)

    private static let budget = TimingRounds.Budget.usual

    @OptionGroup var curveOptions: CurveOptions
    @OptionGroup var devices: DeviceOptions
    @OptionGroup(title: "Quality") var quality: MetricOptions
    @OptionGroup(title: RateListOptions.title) var rates: RateListOptions
    @OptionGroup(title: "Encoder") var options: EncoderOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions
    @OptionGroup(title: "Reports") var reports: ReportOptions

    @OptionGroup var storeOptions: StoreOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Points to encode at a time, 1 to 1024; default: as many as keep all cores busy; 1 with --threads auto.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 1...1024) })
    var jobs: Int?

    @OptionGroup var memory: MemoryOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time the encoders in so many rounds, 0 to 10000, of three to five encodes for each clip, pair of curves and "
                + "number of threads, after one more that tells delays; 6 or more for an interval, 0 for no times. "
                + "Default: \(Self.budget.rounds) of the two or three nearest encodes, within "
                + "\(Format.shortest(Self.budget.seconds)) s each.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 0...10_000) })
    var rounds: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What the order of timed encodes follows from, \(OptionParsing.seeds); default: a new one.", valueName: "n"),
        transform: OptionParsing.seed)
    var seed: UInt64?

    func validate() throws {
        try validateStudy()
        if seed != nil, rounds == 0 {
            throw ValidationError("--seed is for timed encodes, of which --rounds 0 has none")
        }
    }

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: reports.verbose)
        try reports.check(inputs: curveOptions.inputs)
        let store = try storeOptions.open(logger: logger)
        let interruption = OneShotEvent()
        try Interruption.reportEarly(interruption)
        let study = try await study(interruption: interruption, logger: logger)
        let live = LiveComparison(study: study)
        let budget = memory.budget
        memory.tell(asked: jobs, of: study, budget: budget)
        let runner = Runner(
            QualityRun(), jobs: jobs ?? Machine.jobs(threadsEach: study.threadsPerEncoder), memory: budget,
            store: store,
            in: RunContext(
                interruption: interruption, clips: DecodedClips(byteLimit: budget.clipBytes), tools: quality.tools,
                logger: logger))
        await runner.run(study, observe: live.take)
        Allocator.giveBack()
        var report = live.finish(isInterrupted: interruption.hasHappened)
        let isTimed = rounds != 0 && !report.clips.isEmpty
        var failure: (any Error)?
        if isTimed, !interruption.hasHappened {
            // What was measured is told, whatever becomes of the times.
            do { report.take(try time(live.measurements, interruption: interruption)) } catch { failure = error }
            if report.timing == nil, interruption.hasHappened {
                StandardError.tell("encbench: no times: no round was finished\n")
            }
        }
        try reports.show(report)
        try await reports.write(
            report, of: live.measurements, PictureTaker(interruption: interruption, logger: logger))
        if report.isInterrupted || isTimed && interruption.hasHappened {
            if report.clips.isEmpty { StandardError.tell("encbench: nothing was finished\n") }
            do {
                try await keep(live.results, of: study, in: store, logger: logger)
            } catch {
                StandardError.tell("encbench: warning: the finished points cannot be kept: \(error)\n")
            }
            throw ExitCode(Interruption.exitCode)
        }
        // While the page's pictures were made.
        guard !interruption.hasHappened else { throw ExitCode(Interruption.exitCode) }
        if let failure { throw failure }
        try Self.failIfIncomplete(report, study)
        try runner.failIfNotKept()
    }

    private func time(_ measurements: Measurements, interruption: OneShotEvent) throws -> TimingReport? {
        var bar = ProgressBar(unit: "encodes", plainInterval: 10)
        defer { bar.clear() }
        let timing = TimingRounds(
            rounds: rounds ?? Self.budget.rounds, seed: seed ?? UInt64.random(in: 0...999_999),
            budget: rounds == nil ? Self.budget : nil, timesOwnThreads: true, interruption: interruption)
        return try timing.report(measurements) { done, total in bar.update(done: done, total: total, label: "timing") }
    }

    /// Keeps what an interrupted comparison has, and says how to go on.
    private func keep(
        _ results: [PointResult], of study: Study, in store: PointStore?, logger: Logger
    ) async throws {
        if store == nil, results.isEmpty { return }
        let kept = try store ?? PointStore(path: try TemporaryFolder.make(), logger: logger)
        if store == nil { for result in results { try kept.keep(result) } }
        let count = try await kept.count(of: study, as: PointResult.self)
        guard count > 0 else { return }
        StandardError.tell(
            "encbench: \(count) of \(study.pieces.count) points are kept; the same command with --store "
                + "\(kept.path.shellWord) goes on\n")
    }

    /// Ends a command whose report lacks something.
    static func failIfIncomplete(_ report: ComparisonReport, _ study: Study) throws(CommandFailure) {
        guard !report.failures.isEmpty else { return }
        let clips = Set(report.failures.map(\.clip)).count
        throw CommandFailure(
            "\(clips) of \(study.clips.count + study.failures.count { $0.point == nil }) clips lack what failed, which the report lists"
        )
    }
}
