// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Logging
import MediaFiles

/// `encbench plan`: what `compare` would do, for others to do.
struct PlanCommand: StudyCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Writes the points of a comparison, for several machines to encode.",
        discussion: """
            The plan is a line of JSON for the study and one for each point. Points can be encoded in any order, on any \
            machine that sees the clips under the same paths, also more than once; `merge` makes the report of `compare`. \
            `submit` has Slurm or GNU parallel do all that.

            Example:
              encbench plan a.y4m b.y4m --qp 22,27,32,37 --out sweep
              encbench run-point --index 0 1 2 3 --out sweep
              encbench submit --parallel sweep
            """)

    @OptionGroup var curveOptions: CurveOptions
    @OptionGroup var devices: DeviceOptions
    @OptionGroup(title: "Quality") var quality: MetricOptions
    @OptionGroup(title: RateListOptions.title) var rates: RateListOptions
    @OptionGroup(title: "Encoder") var options: EncoderOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions

    @Option(
        help: ArgumentHelp(
            "The folder for plan and results; default: the plan goes to standard output.", valueName: "folder"),
        transform: OptionParsing.folder)
    var out: String?

    func validate() throws { try validateStudy() }

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: false)
        let study = try await study(logger: logger)
        for clip in study.clips where clip.isCopy {
            throw CommandFailure("\(clip.name): other processes cannot read it again; name a file")
        }
        let plan = try Manifest.bytes(study)
        guard let out else { return try WholeFile.writeInPlace(plan, to: "-") }
        _ = try PointStore(path: out, logger: logger)
        try WholeFile.write(plan, to: out + "/" + Manifest.fileName)
        StandardError.write("encbench: \(study.points.count) points, with indices 0 to \(study.points.count - 1)\n")
        if let failure = study.failures.first { throw CommandFailure("\(failure.clip): \(failure.reason)") }
    }
}
