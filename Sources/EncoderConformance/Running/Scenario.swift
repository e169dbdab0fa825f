// SPDX-License-Identifier: MIT

public import EncoderAPI

/// One thing that every encoder must do, and how it is tried.
public struct Scenario: Sendable {
    /// A short stable name: "forced-key-frames".
    public let name: String
    /// What is tried, in one sentence.
    public let summary: String
    /// Settings an encoder must have for it to apply.
    public let settings: [Setting]
    /// Settings whose effect it sees in what comes out: an encoder that takes no notice of one of them fails.
    public let effects: [Setting]
    /// Whether what comes out is decoded.
    public let needsDecoder: Bool
    /// Whether a second encoder, for the other codec, takes part.
    public let needsCompanion: Bool
    /// How much longer it may take than others.
    let length: Double
    /// What the encoder is asked in.
    var circumstance = Circumstance.first
    let body: Body

    typealias Body = @Sendable (_ context: ScenarioContext, _ findings: inout Findings) async throws -> Void

    init(
        _ name: String, _ summary: String, settings: [Setting] = [], effects: [Setting] = [],
        needsDecoder: Bool = false, needsCompanion: Bool = false, length: Double = 1, body: @escaping Body
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        self.effects = effects
        self.needsDecoder = needsDecoder
        self.needsCompanion = needsCompanion
        self.length = length
        self.body = body
    }
}

extension Scenario: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// Thrown by a scenario that turns out not to apply to the encoder.
struct NotApplicable: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What came of one scenario.
public struct ScenarioResult: Sendable, Hashable {
    /// What can come of it.
    @nonexhaustive
    public enum Outcome: Sendable, Hashable {
        /// The encoder does what it must.
        case passed
        /// It does not.
        case failed([Finding])
        /// The scenario is about something the encoder does not have, or could not be tried.
        case notApplicable(reason: String)
    }

    /// The ``Scenario/name``.
    public let scenario: String
    /// The ``Scenario/summary``.
    public let summary: String
    /// What came of it.
    public let outcome: Outcome

    /// What was found; empty unless the scenario failed.
    public var findings: [Finding] {
        if case .failed(let findings) = outcome { return findings }
        return []
    }
}
