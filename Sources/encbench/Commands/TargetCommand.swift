// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import EncoderBench
import Glibc
import Logging
import MediaFiles
import PictureQuality
import Synchronization

/// `encbench target`.
struct TargetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "target", abstract: "Finds the setting at which an encoder reaches a quality.",
        discussion: """
            Encodes the clip until it knows the cheapest setting that reaches the goal: the next one was tried and does not. \
            Rate factors go in steps of 0.25, quantizers in steps of 1, bit rates in steps of 2.2 % or 1 kbit/s. The goal is one of \
            \(Metric.all.map { "--\($0.name) <\($0.scores[0].unit ?? "value")>" }.joined(separator: ", ")). \
            Without a clip, the one that comes with encbench is used.

            --sample encodes scenes of a long clip in its place: one of each part of it, chosen by a seed, each encoded alone with \
            some frames around it. Their quality together has to reach the goal, and size, quality and encoding time of the whole are \
            predicted from them, each with the interval that holds it in 95 of 100 cases.

            Examples:
              encbench target clip.mkv --vmaf 93
              encbench target film.mkv --vmaf 93 --encoder x265 --sample 20 --store results
              encbench target clip.mkv --psnr 40 --encoder x265 --preset slow --store results
              encbench target clip.mkv --ssim 0.98 --encoder x264 --search bit-rate --json target.json

            Ends with status 1 where an encoder does not reach the goal.
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "The clip: a Y4M file, raw video with --size, or anything libavformat reads; and the goal.",
            valueName: "clip --metric value"))
    var words: [String] = []

    @Option(
        help: ArgumentHelp("Encoders to search with; default: x264,x265.", valueName: "list"),
        transform: OptionParsing.encoders)
    var encoder: [EncoderKind] = [.x264, .x265]

    @Option(
        help: ArgumentHelp(
            "h264, hevc or both, for encoders that have both; default: what the other encoders have in common, or else h264.",
            valueName: "list"),
        transform: OptionParsing.codecs)
    var codec: [VideoCodec]?

    @OptionGroup var devices: DeviceOptions

    @Option(
        help:
            "The library's preset, such as ultrafast, medium, veryslow; default: medium, where it has presets; with --real-time the library's own choice."
    )
    var preset: String?

    @Option(
        help: ArgumentHelp(
            "What to change: crf, qp or bit-rate; default: crf where the encoder has it, or else qp.",
            valueName: "setting"),
        transform: OptionParsing.targetScale)
    var search: TargetScale?

    @Flag(help: MetricScale.help)
    var vmafScale = false

    @OptionGroup(title: "Sample") var sampling: SampleOptions
    @OptionGroup(title: "Quality") var programs: MetricToolOptions
    @OptionGroup(title: "Encoder") var options: EncoderOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var memory: MemoryOptions

    @Option(
        help: ArgumentHelp("Write what was found as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    @Flag(help: "Show what the sessions and the libraries have to say.")
    var verbose = false

    func validate() throws {
        let goal: TargetGoal
        do throws(OptionError) {
            let inputs: [String]
            (goal, inputs) = try TargetGoal.parse(words)
            if inputs.count > 1 {
                throw OptionError(.malformed, "unexpected argument '\(inputs[1])', expected one clip")
            }
            try devices.check(isFor: encoder)
            if encoder.allSatisfy({ $0.onlyCodec != nil }) { try OptionParsing.check(codecs: codec, of: encoder) }
            try Variant.check(preset: preset, of: encoder)
            try ComparedOptions.check(options.native)
        } catch {
            throw ValidationError(error.description)
        }
        try MetricScale.check(vmafScale, of: [goal.metric])
        try sampling.check(search)
    }

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: verbose)
        let (goal, inputs) = try TargetGoal.parse(words)
        let bundled = inputs.isEmpty ? try BundledClip.path() : nil
        let path = bundled ?? inputs[0]
        if let json {
            try FilePlace.check(json, isNone: [("the input", path)])
            try MediaOutput.checkWritable(json)
        }
        let store = try storeOptions.open(logger: logger)
        let interruption = OneShotEvent()
        try Interruption.whenRaised { interruption.signal() }
        if path != "-" { try StudyPlanner.checkReadable(path) }
        let tools = programs.tools(scaling: vmafScale)
        let measuredBy = try tools.makers(of: [goal.metric])
        let planner = PointPlanner(
            settings: options.common, input: inputOptions.clips, device: devices.device, measuredBy: measuredBy,
            logger: logger)
        var clip = try planner.clip(path, interruption: interruption)
        if bundled != nil { clip.facts = clip.facts.asBundledClip() }
        let curves = Study.paired(
            encoders: encoder, codecs: codec ?? [EncoderKind.sharedCodec(of: encoder)], presets: [[preset]])
        let variants = try curves.variants.map { try $0.withUsualPreset(realTime: options.realTime) }
        try await refuseUnusable(of: variants, clip, planner)
        let sample = try sampling.scenes(of: clip.facts, interruption: interruption)
        let budget = memory.budget
        let clips = DecodedClips(byteLimit: budget.clipBytes, interruption: interruption)
        // Searches of several encoders share it, and its memory.
        let runner = Runner(
            QualityRun(), jobs: 1, memory: budget, store: store,
            in: RunContext(interruption: interruption, clips: clips, tools: tools, logger: logger))
        var outcomes = await answers(of: variants, goal, clip, planner, runner, sample, clips)
        let start = sample == nil ? nil : MachineLoad.now()
        if let sample {
            await time(&outcomes, of: sample, SceneTiming(clips: clips, interruption: interruption))
        }
        var report = TargetReport(
            clip: clip.facts.name, digest: clip.facts.digest, metric: goal.metric.name, score: goal.score.id,
            measuredBy: measuredBy[goal.metric.name] ?? "", goal: goal.value, answers: [],
            failures: [], isInterrupted: interruption.hasHappened)
        report.othersCores = MachineLoad.othersCores(since: start)
        for (variant, trials, outcome) in outcomes {
            switch outcome {
            case nil: report.unfinished.append(TargetReport.Unfinished(variant: variant.label, trials: trials))
            case .success(let found): report.answers.append(found.answer)
            case .failure(let error):
                report.failures.append(
                    Study.Failure(clip: clip.facts.name, point: variant.label, reason: "\(error)"))
            }
        }
        if json != "-" { try report.show() }
        if let json { try WholeFile.write(try JSONDocument.bytes(report), to: json) }
        guard !report.isInterrupted else { throw ExitCode(Interruption.exitCode) }
        let missed = report.answers.filter { !$0.isReached }.map(\.variant)
        let failed = report.failures.map { "no answer for \($0.point ?? $0.clip): \($0.reason)" }
        let complaints =
            (missed.isEmpty ? [] : ["\(goal.text) was not reached with \(missed.joined(separator: ", "))"]) + failed
        guard complaints.isEmpty else { throw CommandFailure(complaints.joined(separator: "; ")) }
        try runner.failIfNotKept()
    }

    /// Refuses options that one of the encoders does not take, before another has searched for minutes.
    private func refuseUnusable(
        of variants: [Variant], _ clip: ClipInput.Clip, _ planner: PointPlanner
    ) async throws {
        for variant in variants {
            do {
                let kind = try variant.kind
                let rate = (search ?? TargetScale(of: kind)).settings[0]
                _ = try await planner.point(variant, rate, of: clip, on: try await planner.encoder(of: variant))
            } catch {
                if let error = error as? EncoderError, error.isOfCommandLine { throw error }
                // The search finds all else again, and reports it beside the other encoders' answers.
            }
        }
    }

    /// Searches with all encoders, as many at a time as there are cores for.
    private func answers(
        of variants: [Variant], _ goal: TargetGoal, _ clip: ClipInput.Clip, _ planner: PointPlanner,
        _ runner: Runner<PointResult>, _ sample: SceneSample?, _ clips: DecodedClips
    ) async -> [Outcome] {
        let log = TrialLog()
        let jobs = Machine.jobs(threadsEach: options.comparedThreadCount)
        return await withTaskGroup(of: (Int, Result<TargetRun.Found, any Error>?).self) { group in
            var waiting = variants.indices[...]
            var found: [Int: Result<TargetRun.Found, any Error>] = [:]
            func start() {
                guard let index = waiting.popFirst() else { return }
                group.addTask {
                    let outcome = await answer(variants[index], goal, clip, planner, runner, sample, clips) { trial in
                        log.trials.withLock { $0[index, default: []].append(trial) }
                    }
                    return (index, outcome)
                }
            }
            for _ in 0..<jobs { start() }
            while let (index, outcome) = await group.next() {
                found[index] = outcome
                start()
            }
            let kept = log.trials.withLock { $0 }
            return variants.indices.map { (variants[$0], kept[$0] ?? [], found[$0]) }
        }
    }

    private func answer(
        _ variant: Variant, _ goal: TargetGoal, _ clip: ClipInput.Clip, _ planner: PointPlanner,
        _ runner: Runner<PointResult>, _ sample: SceneSample?, _ clips: DecodedClips,
        keep: @Sendable (TargetReport.Trial) -> Void
    ) async -> Result<TargetRun.Found, any Error>? {
        do {
            let kind = try variant.kind
            let encoder = try await planner.encoder(of: variant)
            let run = TargetRun(
                goal: goal, variant: variant, clip: clip, encoder: encoder, scale: search ?? TargetScale(of: kind),
                planner: planner, runner: runner, sample: sample, clips: clips,
                command: { try planner.command(variant, $0, of: clip, on: encoder) })
            let answer = try await run.answer { trial in
                keep(trial)
                StandardError.write(
                    "encbench: \(variant.label), \(trial.rate): \(trial.text(goal.score, goal: goal.value))\n")
            }
            return answer.map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    /// What became of the search with one encoder: what was tried, and the answer; nil where there is none yet.
    private typealias Outcome = (Variant, [TargetReport.Trial], Result<TargetRun.Found, any Error>?)

    /// Times the settings that were found on their scenes; what was found is told, whatever becomes of that.
    private func time(_ outcomes: inout [Outcome], of sample: SceneSample, _ timing: SceneTiming) async {
        var bar = ProgressBar(unit: "scenes", plainInterval: 10)
        defer { bar.clear() }
        for index in outcomes.indices {
            guard case .success(var found)? = outcomes[index].2 else { continue }
            let total = found.points.count
            let label = found.answer.variant
            do {
                found.answer.prediction?.encodeSeconds = try await timing.encodeSeconds(
                    of: found.points, frames: sample.clipFrames
                ) { done in bar.update(done: done, total: total, label: "timing \(label)") }
            } catch {
                StandardError.tell("encbench: warning: no time of \(label): \(error)\n")
            }
            outcomes[index].2 = .success(found)
        }
    }
}

/// What was tried with each encoder so far, by its place.
private final class TrialLog: Sendable {
    let trials = Mutex<[Int: [TargetReport.Trial]]>([:])
}
