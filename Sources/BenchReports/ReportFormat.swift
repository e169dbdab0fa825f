// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench

/// A way to write a comparison's report to a file: one file with a constant, and its line in `encbench`'s options.
package struct ReportFormat: Sendable {
    /// What the option says of it.
    package let summary: String
    /// Whether it shows pictures of the encodes, which have to be made once more for it.
    package var showsPictures = false
    /// The report as the file's bytes.
    package let bytes: @Sendable (ComparisonReport) throws -> [UInt8]

    /// Everything; names carry their units, and readers ignore those they do not know.
    package static let json = ReportFormat(summary: "Write everything measured as JSON") {
        try JSONDocument.bytes($0)
    }
}
