// SPDX-License-Identifier: MIT

import EncoderBench

extension Verdict {
    /// What the numbers in brackets are, and what counts as half.
    var explanation: String {
        let few = findings.contains { (1..<3).contains($0.clips) }
        let many = findings.contains { $0.clips >= 3 }
        let brackets = [
            many ? PairComparison.intervalMeaning : nil,
            few ? "what the lower and the upper half of the qualities give" : nil,
        ].compactMap { $0 }.joined(separator: ", or for one or two clips ")
        return (brackets.isEmpty ? "" : "In brackets: \(brackets). ")
            + "About half is 40 % to 60 %. Equal numbers are not the same picture to every eye"
    }
}

extension Verdict.Judgement {
    /// The judgement as a word before its reasons.
    var words: String {
        switch self {
        case .holds: "Holds:"
        case .fails: "Does not hold:"
        case .exceeded: "Less than that:"
        case .undecided: "Not decided:"
        case .refused: "Not judged:"
        }
    }
}

extension PairComparison {
    /// What an interval over clips is, in words.
    static let intervalMeaning =
        "the 95 % confidence interval of the mean over all clips of this kind, of which these are a sample"
}
