// SPDX-License-Identifier: MIT

import ArgumentParser
import MediaFiles

/// `encbench inspect`.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Lists the NAL units and decoded parameter sets of a file.",
        discussion: """
            Takes H.264 and HEVC as elementary streams or in MP4, MKV, FLV and TS; the content decides, not the name. \
            Offsets are those of start codes, in bytes; lengths are in bytes without them.
            """)

    @Argument(help: "The file; - for an elementary stream on standard input.")
    var file: String

    @Option(help: ArgumentHelp("Write the same as JSON; - for standard output.", valueName: "file"))
    var json: String?

    func run() throws {
        let report = try FileInspector.inspect(file)
        if json != "-" { try MediaOutput.write(Array(report.text.utf8), to: "-") }
        if let json { try MediaOutput.write(try JSONDocument.bytes(report), to: json) }
        if let error = report.error { throw CommandFailure(error) }
    }
}
