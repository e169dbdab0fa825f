// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderBench
import MediaFiles

/// Files that a comparison may write: an option for each format.
struct ReportOptions: ParsableArguments {
    @Option(help: ReportFormat.json.help, transform: ReportFormat.json.file) var json: ReportFile?
    @Option(help: ReportFormat.csv.help, transform: ReportFormat.csv.file) var csv: ReportFile?
    @Option(help: ReportFormat.markdown.help, transform: ReportFormat.markdown.file) var markdown: ReportFile?
    @Option(help: ReportFormat.html.help, transform: ReportFormat.html.file) var html: ReportFile?

    @Flag(
        help: "Say all that was found, not what stands on a first screen alone, and what sessions and libraries say.")
    var verbose = false

    /// The files that were asked for, of the options above, whichever there are.
    var files: [ReportFile] {
        Mirror(reflecting: self).children.compactMap { ($0.value as? Option<ReportFile?>)?.wrappedValue }
    }

    /// Whether a report shows pictures of the encodes.
    var wantsPictures: Bool { files.contains(where: \.format.showsPictures) }

    func validate() throws {
        let paths = files.map(\.path)
        for (index, path) in paths.enumerated() where paths[..<index].contains(path) {
            throw ValidationError("two reports both want \(path == "-" ? "standard output" : path)")
        }
    }

    /// Whether standard output is a file's, so that nothing else may go there.
    var usesStandardOutput: Bool { files.contains { $0.path == "-" } }

    /// Shows a report, unless standard output is a file's or nothing was measured.
    func show(_ report: ComparisonReport) throws {
        guard !usesStandardOutput, report.saysAnything else { return }
        try ComparisonText(report, isVerbose: verbose).show()
    }

    /// Refuses files that cannot be written, or that are read by the same command.
    ///
    /// - Parameter inputs: What the command reads.
    /// - Throws: ``CommandFailure``, ``MediaFileError`` that name the file.
    func check(inputs: [String]) throws {
        for file in files {
            try FilePlace.check(file.path, isNone: inputs.map { ("an input", $0) })
            try MediaOutput.checkWritable(file.path)
        }
    }

    /// Writes all files; nothing when nothing was measured and nothing failed, so that no older report is lost for an
    /// empty one.
    func write(_ report: ComparisonReport) throws {
        guard report.saysAnything else { return }
        var report = report
        report.command = (["encbench"] + CommandLine.arguments.dropFirst()).map(\.shellWord).joined(separator: " ")
        for file in files { try WholeFile.write(try file.format.bytes(report), to: file.path) }
    }
}

extension ReportOptions {
    /// Writes all files, with pictures where a report shows them.
    func write(_ report: ComparisonReport, of measurements: Measurements, _ taker: PictureTaker) async throws {
        var report = report
        if wantsPictures, !report.clips.isEmpty {
            var bar = ProgressBar(unit: "pairs", plainInterval: 10)
            defer { bar.clear() }
            report.pictures = await taker.plates(of: measurements) { done, total in
                bar.update(done: done, total: total, label: "pictures")
            }
        }
        try write(report)
    }
}

extension ReportFormat {
    /// The option's help.
    var help: ArgumentHelp { ArgumentHelp("\(summary); - for standard output. Default: none.", valueName: "file") }

    /// A file of this format.
    func file(_ path: String) -> ReportFile { ReportFile(format: self, path: path) }
}

/// A file that a report is written to.
struct ReportFile: Sendable {
    var format: ReportFormat
    /// "-" for standard output.
    var path: String
}

extension ComparisonReport {
    /// Whether anything was measured, or failed.
    fileprivate var saysAnything: Bool { !clips.isEmpty || !failures.isEmpty }
}
