// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import Publishing

/// How folders are filled with segments.
struct SegmentChoices: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds after which a segment of a folder/ ends at the next key frame, 0.1 to 3600; default: 2.",
            valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0.1...3600) })
    var segmentDuration: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Segments that the play list of a folder/ names, 3 to 1000000; older files are removed; default: all.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: 3...1_000_000) })
    var segmentWindow: Int?

    /// The names of those that were given.
    var given: [String] {
        [("--segment-duration", segmentDuration != nil), ("--segment-window", segmentWindow != nil)].filter(\.1).map(
            \.0)
    }

    /// A folder that is filled so.
    func folder(_ path: String, _ kind: SegmentFolder.Kind) -> SegmentFolder {
        SegmentFolder(path: path, kind: kind, seconds: segmentDuration ?? 2, window: segmentWindow)
    }
}
