// SPDX-License-Identifier: MIT

public import EncoderAPI

/// What came of an exam, in the order in which its reader asks: what failed, what did not apply and why, and what was
/// promised and not looked at.
public struct ConformanceReport: Sendable {
    /// Scenarios that did not apply for one reason.
    public struct NotApplicable: Sendable, Hashable {
        /// Why, as ``ScenarioResult/Outcome/notApplicable(reason:)`` says it.
        public let reason: String
        /// Their names, in the order in which they were run.
        public let scenarios: [String]
    }

    /// The encoder that was examined.
    public let encoder: EncoderDescription
    /// What came of each scenario, in the order in which they were run.
    public let results: [ScenarioResult]

    /// Puts together what came of an exam.
    public init(encoder: EncoderDescription, results: [ScenarioResult]) {
        self.encoder = encoder
        self.results = results
    }

    /// Scenarios that found nothing.
    public var passedCount: Int { results.count { $0.outcome == .passed } }

    /// What came of the scenarios that found something.
    public var failures: [ScenarioResult] { results.filter { !$0.findings.isEmpty } }

    /// The scenarios that did not apply, by their reasons.
    public var notApplicable: [NotApplicable] {
        var reasons: [String] = []
        var scenarios: [String: [String]] = [:]
        for result in results {
            guard case .notApplicable(let reason) = result.outcome else { continue }
            if scenarios[reason] == nil { reasons.append(reason) }
            scenarios[reason, default: []].append(result.scenario)
        }
        return reasons.map { NotApplicable(reason: $0, scenarios: scenarios[$0] ?? []) }
    }

    /// Settings that the encoder lists and whose effect no scenario looked for, because none of those that do was run
    /// and applied.
    public var unseenSettings: [Setting] {
        let others = Set(notApplicable.flatMap(\.scenarios))
        let applied = Set(results.map(\.scenario)).subtracting(others)
        let seen = Set(ConformanceSuite.scenarios.filter { applied.contains($0.name) }.flatMap(\.effects))
        return encoder.capabilities.settings.subtracting(seen).sorted { $0.rawValue < $1.rawValue }
    }
}

extension ConformanceReport: CustomStringConvertible {
    /// The report in lines, a screen of them for an encoder without failures.
    public var description: String {
        let others = notApplicable
        let otherCount = others.reduce(0) { $0 + $1.scenarios.count }
        var lines = [
            "\(encoder.displayName) (\(encoder.id.rawValue)): \(passedCount) of \(results.count) scenarios passed, "
                + "\(failures.count) failed, \(otherCount) did not apply"
        ]
        for failure in failures {
            lines.append("  failed: \(failure.scenario): \(failure.summary)")
            lines += failure.findings.map { "    expected \($0.expected), saw \($0.seen)" }
        }
        for other in others {
            lines.append("  did not apply: \(other.scenarios.joined(separator: ", ")): \(other.reason)")
        }
        let unseen = unseenSettings
        lines.append(
            unseen.isEmpty
                ? "  every setting that is listed was looked for in what came out"
                : "  listed, and not looked for: \(unseen.map(\.rawValue).joined(separator: ", "))")
        return lines.joined(separator: "\n")
    }
}
