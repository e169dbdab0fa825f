// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Glibc
import MediaFiles
import PictureQuality

/// `encbench submit`.
struct SubmitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Has what is missing of a plan encoded by Slurm or GNU parallel, and merges.",
        discussion: """
            Only points without a result are submitted, so the same command, given again, goes on after failures. \
            Machines must see this program, the folder and the clips under the same paths. With Slurm the report is \
            FOLDER/report.txt, FOLDER/merge.log says what is missing, and FOLDER/logs what the tasks had to say.

            Examples:
              encbench plan a.y4m b.y4m --qp 22,27,32,37 --out sweep
              encbench submit --slurm sweep
              encbench submit --slurm sweep --engine-option=--partition=long -- --json report.json
              encbench submit --parallel sweep --dry-run
            """)

    @Argument(
        help: ArgumentHelp("The folder with the plan, for the results.", valueName: "folder"),
        transform: OptionParsing.folder)
    var folder: String

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("Options of merge, after --.", valueName: "merge-options"))
    var mergeOptions: [String] = []

    @OptionGroup var programs: MetricToolOptions

    @Flag var engine: SweepEngine

    @Flag(help: "Print the script that would be run, and run nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Fewest points in one task; more where the engine allows fewer tasks. Short encodes want 10 or more. 1 to 1000000; default: 1.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 1...1_000_000) })
    var pointsPerTask = 1

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An option for sbatch or parallel; given several times. Default: none.", valueName: "option")
    )
    var engineOption: [String] = []

    func validate() throws {
        do {
            _ = try MergeCommand.parse([folder] + mergeOptions)
        } catch {
            throw ValidationError(MergeCommand.message(for: error))
        }
    }

    func run() throws {
        let logger = StandardErrorLog.logger(isVerbose: false)
        let path = try absolute(folder)
        let plan = path + "/" + Manifest.fileName
        let study = try Manifest.read(plan)
        let store = try PointStore(path: path, logger: logger)
        let points = Submission.missing(try Merge(study: study, results: try store.all()))
        guard !points.isEmpty else {
            StandardError.write("encbench: nothing is missing; encbench merge \(folder.shellWord) makes the report\n")
            return
        }
        let limit = dryRun ? (try? engine.taskLimit()) ?? engine.usualTaskLimit : try engine.taskLimit()
        let submission = Submission(
            program: try absolute("/proc/self/exe"), folder: path,
            tasks: Submission.tasks(points, least: pointsPerTask, most: limit), threads: study.threadsPerEncoder,
            engineOptions: engineOption, mergeOptions: mergeOptions, programs: try namedPrograms())
        let script = engine.script(submission)
        if dryRun { return try WholeFile.writeInPlace(FileName.bytes(script), to: "-") }
        try engine.checkIdle(submission)
        try makeLogs(path)
        StandardError.write("encbench: \(points.count) of \(study.points.count) points are to be encoded\n")
        let status = try Self.run(script)
        guard status == 0 else {
            throw CommandFailure(
                "the points were not all submitted and merged: status \(status); the messages above say why")
        }
    }

    /// The variables that name programs to the tasks, which may run in other folders.
    private func namedPrograms() throws(CommandFailure) -> [String: String] {
        var variables: [String: String] = [:]
        for (name, program) in programs.tools.others where program != name {
            variables[MetricTools.variable(for: name)] = program.contains("/") ? try absolute(program) : program
        }
        return variables
    }

    /// Runs a script of any length with this process's standard streams.
    private static func run(_ script: String) throws(EncoderBenchError) -> Int32 {
        let file = try UnnamedFile()
        try file.write(FileName.bytes(script))
        let path = "/proc/\(getpid())/fd/" + file.path.dropFirst(UnnamedFile.folder.count)
        return try ChildProcess.run("bash", [path], reading: false).status
    }

    private func makeLogs(_ folder: String) throws(CommandFailure) {
        guard mkdir((folder + "/logs").fileName, 0o777) != 0, errno != EEXIST else { return }
        throw CommandFailure("\(folder)/logs: cannot be made: \(String(cString: strerror(errno)))")
    }

    private func absolute(_ path: String) throws(CommandFailure) -> String {
        guard let resolved = realpath(path.fileName, nil) else {
            throw CommandFailure("\(path): \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        return String(fileName: resolved)
    }
}
