// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Logging

/// Where results of encodes are kept, and found again.
struct StoreOptions: ParsableArguments {
    @Option(
        name: [.customLong("store"), .customLong("resume")],
        help: ArgumentHelp(
            "Keep each finished encode in this folder, and use those that are there; default: none.",
            valueName: "folder"),
        transform: OptionParsing.folder)
    var store: String?

    /// The folder's store; nil where none is named.
    func open(logger: Logger) throws(EncoderBenchError) -> PointStore? {
        guard let store else { return nil }
        return try PointStore(path: store, logger: logger)
    }
}

extension OptionParsing {
    /// The name of a folder.
    static func folder(_ text: String) throws(OptionError) -> String {
        if text.isEmpty { throw OptionError(.malformed, "'', expected the name of a folder") }
        return text
    }
}
