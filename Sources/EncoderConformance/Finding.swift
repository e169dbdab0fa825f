// SPDX-License-Identifier: MIT

/// One way in which an encoder does not behave as every encoder must.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The ``Scenario/name`` under which it was found.
    public let scenario: String
    /// What should have been.
    public let expected: String
    /// What was instead.
    public let seen: String

    /// Notes one difference.
    public init(scenario: String, expected: String, seen: String) {
        self.scenario = scenario
        self.expected = expected
        self.seen = seen
    }

    /// "forced-key-frames: expected frame 10 to be a sync frame, saw a P picture".
    public var description: String { "\(scenario): expected \(expected), saw \(seen)" }
}

/// Collects what one scenario finds.
struct Findings {
    let scenario: String
    private(set) var all: [Finding] = []

    init(scenario: String) {
        self.scenario = scenario
    }

    /// Notes a difference unless `condition` holds.
    mutating func expect(
        _ condition: Bool, _ expected: @autoclosure () -> String, seen: @autoclosure () -> String
    ) {
        if !condition { note(expected(), seen: seen()) }
    }

    /// Notes a difference.
    mutating func note(_ expected: String, seen: String) {
        all.append(Finding(scenario: scenario, expected: expected, seen: seen))
    }

    /// Takes over what a check found, under its own name and that of the case it was made in.
    mutating func add(_ findings: [Finding], in label: String) {
        for finding in findings {
            note(finding.expected, seen: label.isEmpty ? finding.seen : "\(finding.seen) (\(label))")
        }
    }
}
