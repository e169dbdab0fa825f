// SPDX-License-Identifier: MIT

package import EncoderBench

/// The report of a comparison as people read it.
package struct ComparisonText: TextReport {
    private let report: ComparisonReport
    private let isVerbose: Bool

    /// - Parameters:
    ///   - report: What was found.
    ///   - isVerbose: Whether it says all of it, and not what stands on a first screen alone.
    package init(_ report: ComparisonReport, isVerbose: Bool) {
        self.report = report
        self.isVerbose = isVerbose
    }

    /// The report as lines.
    package func text(width: Int?) -> String {
        let outline = isVerbose ? report.outline : report.withShortNames.first
        let hint = "\n--verbose says the rest: other measures, single clips, delays and memory, commands, versions.\n"
        return outline.text(width: width) + (isVerbose ? "" : hint)
    }
}
