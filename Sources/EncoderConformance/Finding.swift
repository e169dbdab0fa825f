// SPDX-License-Identifier: MIT

import Synchronization

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

/// How many more findings matter to whoever runs a scenario.
final class FindingLimit: Sendable {
    private let left: Atomic<Int>

    init(_ most: Int) {
        left = Atomic(most)
    }

    /// Whether no further finding matters.
    var isReached: Bool { left.load(ordering: .relaxed) <= 0 }

    /// Counts a finding; false for one too many.
    func take() -> Bool { left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 }
}

/// Collects what one scenario finds; of findings that differ in numbers only, the first few.
struct Findings {
    let scenario: String
    private var kept: [Finding] = []
    /// How often each kind was found, and where: kinds in the order in which they came.
    private var counts: [String: Int] = [:]
    private var kinds: [String] = []
    private let limit: FindingLimit

    /// Findings of one kind that are kept; of the others only the number is.
    static let mostOfAKind = 4

    init(scenario: String, limit: FindingLimit = FindingLimit(.max)) {
        self.scenario = scenario
        self.limit = limit
    }

    /// What was found, with one finding at the end for each kind that has more.
    var all: [Finding] {
        kept
            + kinds.compactMap { kind in
                guard let count = counts[kind], count > Self.mostOfAKind else { return nil }
                return Finding(scenario: scenario, expected: kind, seen: "\(count - Self.mostOfAKind) more like it")
            }
    }

    /// Notes a difference unless `condition` holds.
    mutating func expect(
        _ condition: Bool, _ expected: @autoclosure () -> String, seen: @autoclosure () -> String
    ) {
        if !condition { note(expected(), seen: seen()) }
    }

    /// Notes a difference.
    mutating func note(_ expected: String, seen: String) {
        guard limit.take() else { return }
        let kind = Self.kind(of: expected)
        let count = counts[kind, default: 0] + 1
        if count == 1 { kinds.append(kind) }
        counts[kind] = count
        guard count <= Self.mostOfAKind else { return }
        kept.append(Finding(scenario: scenario, expected: expected, seen: seen))
    }

    /// Takes over what a check found, under its own name and that of the case it was made in.
    mutating func add(_ findings: [Finding], in label: String) {
        for finding in findings {
            note(finding.expected, seen: label.isEmpty ? finding.seen : "\(finding.seen) (\(label))")
        }
    }

    /// The expectation without its numbers: "a decode time of frame # later than #/#".
    private static func kind(of expected: String) -> String {
        var kind = ""
        for character in expected where !(character.isNumber && kind.hasSuffix("#")) {
            kind.append(character.isNumber ? "#" : character)
        }
        return kind
    }
}
