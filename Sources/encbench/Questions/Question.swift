// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import EncoderBench
import Logging
import MediaFiles
import PictureQuality
import Synchronization

/// One question about encoders, on its way from options to a report: what the commands that ask one do alike.
struct Question {
    let options: QuestionOptions
    let context: RunContext
    /// What encodes at a time may take.
    private let budget: MemoryBudget
    /// Clips, encoders and points so far, and what could not be planned.
    private(set) var study: Study
    /// Happens when a result could not be kept in the store.
    private let keepingFailed = OneShotEvent()

    var logger: Logger { context.logger }
    var interruption: OneShotEvent { context.interruption }

    /// Looks at the command line, and at signals from here on.
    ///
    /// - Parameters:
    ///   - options: What the user said.
    ///   - threads: Threads of each encoder; nil lets it choose.
    ///   - metrics: What is taken of pictures.
    ///   - tools: What takes the values of metrics that this program does not.
    ///   - budget: Memory that encodes at a time may take together.
    /// - Throws: ``CommandFailure``, ``MediaFileError`` where files cannot be used.
    init(
        _ options: QuestionOptions, threads: Int?, metrics: [Metric] = [], tools: MetricTools = MetricTools(),
        budget: MemoryBudget = MemoryBudget()
    ) throws {
        self.options = options
        self.budget = budget
        context = RunContext(
            clips: DecodedClips(byteLimit: budget.clipBytes), tools: tools,
            logger: StandardErrorLog.logger(isVerbose: options.verbose))
        study = Study(
            variants: options.variants, pairs: [], threadsPerEncoder: threads, metrics: metrics.map(\.name))
        if let json = options.json {
            try FilePlace.check(json, isNone: options.inputs.map { ("an input", $0) })
            try MediaOutput.checkWritable(json)
        }
        try Interruption.reportEarly(context.interruption)
    }

    /// A planner for the question's options, with some changed.
    func planner(
        inputs: ClipInput? = nil, _ change: (inout EncoderOptions) -> Void = { _ in }
    ) throws -> PointPlanner {
        var changed = options.options
        if study.threadsPerEncoder == nil { changed.threads = ThreadChoice() }
        change(&changed)
        return PointPlanner(
            settings: changed.common, input: inputs ?? options.inputOptions.clips, device: options.devices.device,
            measuredBy: try context.tools.makers(of: study.metrics.compactMap(Metric.named)), logger: logger)
    }

    /// Plans the points of all clips.
    ///
    /// - Parameter points: The points of a clip with a variant, in any places of the study.
    /// - Throws: What is wrong with the command, and the first failure where nothing is left to do.
    mutating func plan(
        _ points: (Variant, ClipInput.Clip, EncoderDescription) async throws -> [PointSpec]
    ) async throws {
        let planner = try BundledClip.planner(
            options.inputs, try self.planner(), codec: options.codec, interruption: interruption)
        let variants = study.variants
        try await planner.planCommand(&study) { index, clip, encoder in try await points(variants[index], clip, encoder)
        }
        for failure in study.failures { logger.error("\(failure.name): \(failure.reason)") }
    }

    /// Runs the points as a kind that takes no times, on all cores.
    func answers<Kind: RunKind>(
        _ kind: Kind, store options: StoreOptions
    ) async throws -> Answers<Kind.Result> where Kind.Result: KeptResult {
        let store = try options.open(logger: logger)
        let jobs = Machine.jobs(threadsEach: study.threadsPerEncoder)
        let runner = Runner(kind, jobs: jobs, memory: budget, store: store, in: context)
        let pieces = study.pieces.count
        let state = Mutex(
            (
                answers: Answers<Kind.Result>(study: study, failures: study.failures), done: 0,
                bar: ProgressBar(unit: "encodes", plainInterval: 10)
            ))
        await runner.run(study) { event in
            state.withLock { state in
                switch event {
                case .frame: break
                case .finished(let points, let result):
                    for point in points { state.answers.results[point] = result }
                    state.done += 1
                case .failed(let points, let error):
                    for point in points { state.answers.fail(point, error) }
                    state.done += 1
                }
                state.bar.update(done: state.done, total: pieces, label: "encoding")
            }
        }
        if runner.keepingFailed.hasHappened { keepingFailed.signal() }
        return state.withLock { state in
            state.bar.clear()
            state.answers.isInterrupted = interruption.hasHappened
            return state.answers
        }
    }

    /// Runs the points as a kind that takes times: one at a time, each in a process of its own.
    func answersAlone<Kind: RunKind>(_ kind: Kind) throws -> Answers<Kind.Result> {
        var answers = Answers<Kind.Result>(study: study, failures: study.failures)
        var bar = ProgressBar(unit: "encodes", plainInterval: 10)
        defer { bar.clear() }
        let clips = SharedClips(interruption: interruption)
        for (done, point) in study.points.enumerated() {
            bar.update(done: done, total: study.points.count, label: study.name(of: point))
            do {
                let result = try interruption.unlessSignalled { try kind.resultAlone(of: point, clips: clips) }
                guard let result else { break }
                answers.results[point] = result
            } catch {
                answers.fail(point, error)
            }
        }
        answers.isInterrupted = interruption.hasHappened
        return answers
    }
}

extension Question {
    /// Shows a report, writes it, and ends the command as it came out.
    ///
    /// - Parameters:
    ///   - report: What was found.
    ///   - files: What is written beside the JSON, and where; "-" is standard output, which shows nothing else then.
    /// - Throws: `ExitCode` after an interruption, ``CommandFailure`` for failures and for broken promises.
    func finish(_ report: some QuestionReport, files: [(path: String, bytes: [UInt8])] = []) throws {
        if options.json != "-", !files.contains(where: { $0.path == "-" }) { try report.show() }
        if let json = options.json { try WholeFile.write(try JSONDocument.bytes(report), to: json) }
        for file in files { try WholeFile.write(file.bytes, to: file.path) }
        if report.isInterrupted { throw ExitCode(Interruption.exitCode) }
        let failures = report.failures.map { $0.name + ": " + $0.reason }
        let complaints = failures + report.broken + (keepingFailed.hasHappened ? ["not all results could be kept"] : [])
        guard complaints.isEmpty else { throw CommandFailure(complaints.joined(separator: "; ")) }
    }
}
