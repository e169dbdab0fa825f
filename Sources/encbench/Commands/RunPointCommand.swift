// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Logging
import PictureQuality

/// `encbench run-point`.
struct RunPointCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-point", abstract: "Encodes points of a plan, unless their results are there.",
        discussion: "A result appears whole or not at all, so that a command that was killed can simply run again.")

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Numbers of points as the plan has them, from 0 to \(OptionParsing.frames.upperBound).", valueName: "n"),
        transform: { try OptionParsing.integer($0, in: OptionParsing.frames) })
    var index: [Int]

    @Option(
        help: ArgumentHelp("The folder for the results.", valueName: "folder"), transform: OptionParsing.folder)
    var out: String

    @Option(help: ArgumentHelp("The plan; default: \(Manifest.fileName) in that folder.", valueName: "file"))
    var plan: String?

    @OptionGroup var programs: MetricToolOptions

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: false)
        // Points that are there need not be written.
        let isThere = FolderListing.names(out) != nil
        let store = try isThere ? PointStore(reading: out, logger: logger) : PointStore(path: out, logger: logger)
        let path = plan ?? out + "/" + Manifest.fileName
        let study = try Manifest.read(path)
        for index in index where !study.points.indices.contains(index) {
            throw CommandFailure("no point \(index) in \(path), expected 0...\(study.points.count - 1)")
        }
        var context = RunContext(tools: programs.tools, logger: logger)
        var checked: [String: String] = [:]
        var digests: [String: String] = [:]
        var failures = 0
        for index in index {
            let point = study.points[index]
            do {
                let key = try point.work.key(with: try await EncoderBuild(of: point.work))
                guard store.result(for: key, as: PointResult.self) == nil else { continue }
                try store.checkWritable()
                let digest = try digests[point.path] ?? StudyInput(reading: point.path).digest
                digests[point.path] = digest
                guard digest == point.work.clipDigest else {
                    throw CommandFailure("\(point.path): is not the file that was planned with")
                }
                if checked != point.work.measuredBy {
                    context.tools = context.tools.scaling(as: point.work.measuredBy)
                    try context.tools.check(point.work.measuredBy)
                    checked = point.work.measuredBy
                }
                let result = try await QualityRun().result(of: point, in: context) {}
                guard let result else { throw ExitCode(Interruption.exitCode) }
                try store.keep(result)
            } catch let error as ExitCode {
                throw error
            } catch {
                // The next points may be well.
                logger.error("point \(index), \(study.name(of: point)): \(error)")
                failures += 1
            }
        }
        if failures > 0 { throw CommandFailure("\(failures) of \(index.count) points have no result") }
    }
}
