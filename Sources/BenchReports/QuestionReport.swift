// SPDX-License-Identifier: MIT

package import EncoderBench

/// What a command that asks one question found.
package protocol QuestionReport: Encodable, TextReport {
    /// Clips and points that are missing, and why.
    var failures: [Study.Failure] { get }
    /// Whether points are missing because it was asked to end.
    var isInterrupted: Bool { get }
    /// Promises that were broken, a sentence each.
    var broken: [String] { get }
}

extension QuestionReport {
    /// The end of a report for people: what is missing, and what columns mean where there are any.
    func ending(_ legend: String, libraries: [String]) -> String {
        var text = ""
        for failure in failures { text += "No answer for \(failure.name): \(failure.reason).\n" }
        if isInterrupted { text += "Interrupted: encodes are missing.\n" }
        guard !libraries.isEmpty else { return text }
        return text + legend + "\n" + distinct(libraries).joined(separator: "; ")
    }
}
