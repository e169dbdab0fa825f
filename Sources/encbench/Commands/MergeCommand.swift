// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import MediaFiles

/// `encbench merge`.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Makes the report of a plan whose points were encoded one by one.")

    @Argument(
        help: ArgumentHelp("The folder with the results.", valueName: "folder"), transform: OptionParsing.folder)
    var folder: String

    @Option(help: ArgumentHelp("The plan; default: \(Manifest.fileName) in that folder.", valueName: "file"))
    var plan: String?

    @OptionGroup(title: "Reports") var reports: ReportOptions

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: false)
        let path = plan ?? folder + "/" + Manifest.fileName
        let study = try Manifest.read(path)
        try reports.check(inputs: study.clips.map(\.path) + [path])
        let store = try PointStore(reading: folder, logger: logger)
        let merge = try Merge(study: study, results: try store.all())
        var report = merge.measurements.report(isInterrupted: false)
        report.notes += merge.notes
        try reports.show(report)
        try await reports.write(report, of: merge.measurements, PictureTaker(logger: logger))
        guard merge.missing.isEmpty else {
            let numbers = merge.missing.map(String.init).joined(separator: " ")
            throw CommandFailure(
                "\(merge.missing.count) points are missing; run-point --index \(numbers), or submit, encodes them")
        }
        try CompareCommand.failIfIncomplete(report, study)
    }
}
