// SPDX-License-Identifier: MIT

package import EncoderBench

extension LadderReport: QuestionReport {
    package var broken: [String] { [] }

    /// The report for people.
    package func text(width: Int?) -> String { outline(isWhole: false).text(width: width) }
}
