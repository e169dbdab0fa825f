// SPDX-License-Identifier: MIT

import ArgumentParser
import MediaFiles
import StreamInspection

/// `encbench inspect`.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Shows the NAL units of an H.264 or HEVC file, field by field.",
        discussion: """
            The file's content decides what it is: a byte stream with start codes (Annex B), or a container such as \
            MP4, Matroska, FLV or TS. Files of any size are read piece by piece.

            Each row is a NAL unit: its number, where its start code or length stands in the file (in a container: \
            in its packet, or in the configuration record), its length without that, and its type. Below it come \
            the fields of parameter sets, slice headers and SEI by their names in the standard, each with its first \
            bit in the unit (emulation prevention bytes left out) and its size in bits, and after a = what follows \
            from them. With --json, fields are members of the unit under the same names, arrays where they repeat.

            An FLV file also shows its header and each tag before the tag's NAL units, with the size that stands \
            before the tag; positions then count from the start of the file.

            A unit that cannot be read shows which field is wrong and where; the status is then 1.

            Examples:
              encbench inspect movie.mp4 --no-fields
              encbench inspect stream.h264 --json | jq '.[] | select(.type == "SPS") | .pic_order_cnt_type'
              encbench encode in.y4m -o - | encbench inspect -
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Flag(help: "Write a JSON array of NAL units.")
    var json = false

    @Flag(name: .customLong("no-fields"), help: "Leave out the fields: the table of NAL units only.")
    var hidesFields = false

    func run() throws {
        let inspection = try StreamInspection(path: file)
        var run = InspectionRun(inspection, format(inspection.summary))
        do throws(MediaFileError) {
            try run.run(to: OutputFile(path: "-"))
        } catch {
            // A reader that went away has seen enough.
            guard error.code == .brokenPipe else { throw error }
            return
        }
        if let failure = run.failure { throw failure }
    }

    private func format(_ stream: StreamSummary) -> any InspectionFormat {
        guard json else { return InspectionText(stream, showsFields: !hidesFields) }
        return InspectionJSON(showsFields: !hidesFields)
    }
}
