// SPDX-License-Identifier: MIT

import EncoderConformance

/// What `verify` found.
struct VerifyReport: Codable, Equatable, Sendable, TextReport {
    /// One scenario with one encoder.
    struct Result: Codable, Equatable, Sendable {
        var encoder: String
        var scenario: String
        var summary: String
        /// "passed", "failed" or "not applicable".
        var outcome: String
        /// What was found, or why it does not apply.
        var details: [String]
    }

    var schemaVersion = 1
    var results: [Result] = []
    /// Encoders that are not available, and why.
    var skipped: [String] = []

    enum CodingKeys: String, CodingKey {
        case results, skipped
        case schemaVersion = "schema_version"
    }

    /// Scenarios that an encoder failed.
    var failureCount: Int { results.count { $0.outcome == "failed" } }

    /// Takes up a result.
    mutating func add(_ result: ScenarioResult, encoder: String) {
        let (outcome, details) =
            switch result.outcome {
            case .passed: ("passed", [String]())
            case .failed(let findings): ("failed", findings.map { "expected \($0.expected), saw \($0.seen)" })
            case .notApplicable(let reason): ("not applicable", [reason])
            }
        results.append(
            Result(
                encoder: encoder, scenario: result.scenario, summary: result.summary, outcome: outcome,
                details: details))
    }

    /// The report for people.
    func text(width: Int?) -> String {
        var table = TextTable([
            .words("encoder"), .words("scenario"), .words("outcome"), .words("what is checked, or why it is not"),
        ])
        for result in results {
            let why = result.outcome == "not applicable" ? result.details.first : nil
            table.add([result.encoder, result.scenario, result.outcome, why ?? result.summary])
        }
        var text = table.text(width: width)
        for result in results where result.outcome == "failed" {
            text += "\n\(result.encoder), \(result.scenario): \(result.outcome)\n"
            for detail in result.details { text += "  \(detail)\n" }
        }
        for encoder in skipped { text += "\nnot available: \(encoder)\n" }
        let passed = results.count { $0.outcome == "passed" }
        return text + "\n\(passed) passed, \(failureCount) failed, "
            + "\(results.count - passed - failureCount) not applicable\n"
    }
}
