// SPDX-License-Identifier: MIT

import ArgumentParser

/// A way to write a comparison's report to a file: one file with a constant, and its option below.
struct ReportFormat: Sendable {
    /// The report as the file's bytes.
    let bytes: @Sendable (ComparisonReport) throws -> [UInt8]

    /// Everything; names carry their units, and readers ignore those they do not know.
    static let json = ReportFormat { try JSONDocument.bytes($0) }
}

extension ReportOptions {
    /// Writes all files, with pictures where a report shows them.
    func write(_ report: ComparisonReport, of analysis: Analysis, _ taker: PictureTaker) async throws {
        var report = report
        if wantsPictures, !report.clips.isEmpty {
            var bar = ProgressBar(unit: "pairs", plainInterval: 10)
            defer { bar.clear() }
            report.pictures = await taker.plates(of: analysis) { done, total in
                bar.update(done: done, total: total, label: "pictures")
            }
        }
        try write(report)
    }
}

/// Files that a comparison may write.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write everything measured as JSON; - for standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write one line of values for each point; - for standard output.", valueName: "file"))
    var csv: String?

    @Option(help: ArgumentHelp("Write the tables and answers as Markdown; - for standard output.", valueName: "file"))
    var markdown: String?

    @Option(
        help: ArgumentHelp(
            "Write one page with curves, frames and pictures, for any browser; - for standard output.",
            valueName: "file"))
    var html: String?

    /// Whether a report shows pictures of the encodes.
    var wantsPictures: Bool { html != nil }

    private var files: [(format: ReportFormat, path: String)] {
        [(ReportFormat.json, json), (.csv, csv), (.markdown, markdown), (.html, html)].compactMap { format, path in
            path.map { (format, $0) }
        }
    }

    func validate() throws {
        let paths = files.map(\.path)
        for (index, path) in paths.enumerated() where paths[..<index].contains(path) {
            throw ValidationError("two reports both want \(path == "-" ? "standard output" : path)")
        }
    }

    /// Whether standard output is a file's, so that nothing else may go there.
    var usesStandardOutput: Bool { files.contains { $0.path == "-" } }

    /// Refuses files that cannot be written, or that are read by the same command.
    ///
    /// - Parameter inputs: What the command reads.
    /// - Throws: ``CommandFailure``, ``MediaFileError`` that name the file.
    func check(inputs: [String]) throws {
        for (_, path) in files {
            try FileIdentity.check(path, isNone: inputs.map { ("an input", $0) })
            try MediaOutput.checkWritable(path)
        }
    }

    /// Writes all files; nothing when nothing was measured, so that no older report is lost for an empty one.
    func write(_ report: ComparisonReport) throws {
        guard !report.clips.isEmpty else { return }
        var report = report
        report.command = (["encbench"] + CommandLine.arguments.dropFirst()).map(\.shellWord).joined(separator: " ")
        for (format, path) in files { try WholeFile.write(try format.bytes(report), to: path) }
    }
}
