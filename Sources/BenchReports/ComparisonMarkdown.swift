// SPDX-License-Identifier: MIT

import EncoderBench

extension ReportFormat {
    /// Tables and answers, as GitHub shows them.
    package static let markdown = ReportFormat(summary: "Write all that is said as Markdown") {
        Array($0.outline.markdown.utf8)
    }
}
