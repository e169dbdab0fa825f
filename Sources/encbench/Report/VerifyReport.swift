// SPDX-License-Identifier: MIT

import BenchReports
import EncoderAPI
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

    /// One encoder, and what was not looked at.
    struct Examined: Codable, Equatable, Sendable {
        var encoder: String
        /// Settings that it lists and whose effect no scenario looked for.
        var unseenSettings: [String]
        /// What came of it, in lines.
        var summary: String

        enum CodingKeys: String, CodingKey {
            case encoder, summary
            case unseenSettings = "unseen_settings"
        }
    }

    var schemaVersion = 2
    var encoders: [Examined] = []
    var results: [Result] = []
    /// Encoders that are not available, and why.
    var skipped: [String] = []

    enum CodingKeys: String, CodingKey {
        case encoders, results, skipped
        case schemaVersion = "schema_version"
    }

    /// Whether the text lists every scenario; not part of the JSON.
    var isVerbose = false

    init(isVerbose: Bool = false) { self.isVerbose = isVerbose }

    /// Scenarios that an encoder failed.
    var failureCount: Int { results.count { $0.outcome == "failed" } }

    /// Takes up the exam of one encoder.
    mutating func add(_ report: ConformanceReport) {
        let encoder = report.encoder.id.rawValue
        encoders.append(
            Examined(
                encoder: encoder, unseenSettings: report.unseenSettings.map(\.rawValue),
                summary: report.description))
        results += report.results.map { result in
            let (outcome, details) =
                switch result.outcome {
                case .passed: ("passed", [String]())
                case .failed(let findings): ("failed", findings.map { "expected \($0.expected), saw \($0.seen)" })
                case .notApplicable(let reason): ("not applicable", [reason])
                }
            return Result(
                encoder: encoder, scenario: result.scenario, summary: result.summary, outcome: outcome,
                details: details)
        }
    }

    /// Every scenario, with what it checks.
    private var table: TextTable {
        var table = TextTable([
            .words("encoder"), .words("scenario"), .words("outcome"), .words("what is checked, or why it is not"),
        ])
        for result in results {
            let why = result.outcome == "not applicable" ? result.details.first : nil
            table.add([result.encoder, result.scenario, result.outcome, why ?? result.summary])
        }
        return table
    }

    /// The report for people.
    func text(width: Int?) -> String {
        var text = isVerbose ? table.text(width: width) + "\n" : ""
        text += encoders.map { $0.summary + "\n" }.joined(separator: "\n")
        for encoder in skipped { text += "\nnot available: \(encoder)\n" }
        let passed = results.count { $0.outcome == "passed" }
        return text + "\n\(passed) passed, \(failureCount) failed, "
            + "\(results.count - passed - failureCount) not applicable\n"
    }
}
