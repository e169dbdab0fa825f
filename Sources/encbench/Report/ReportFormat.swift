// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench

/// A way to write a comparison's report to a file: one file with a constant, and its line in ``ReportOptions``.
struct ReportFormat: Sendable {
    /// What the option says of it.
    let summary: String
    /// Whether it shows pictures of the encodes, which have to be made once more for it.
    var showsPictures = false
    /// The report as the file's bytes.
    let bytes: @Sendable (ComparisonReport) throws -> [UInt8]

    /// Everything; names carry their units, and readers ignore those they do not know.
    static let json = ReportFormat(summary: "Write everything measured as JSON") { try JSONDocument.bytes($0) }
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
