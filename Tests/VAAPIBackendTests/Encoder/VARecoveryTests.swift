// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct VARecoveryTests {
    private let start = ContinuousClock.now

    private func steps(_ seconds: [Double], canReopen: Bool = true) -> [VARecovery.Step] {
        var recovery = VARecovery()
        return seconds.map { recovery.step(at: start + .seconds($0), canReopen: canReopen) }
    }

    @Test(
        "more than three failures within ten seconds take another connection, and as many behind it end it",
        arguments: [
            ([0, 1, 2, 3], [.context, .context, .context, .device]),
            ([0, 1, 2, 10, 11, 12], [.context, .context, .context, .context, .context, .context]),
            ([0, 1, 2, 9.99], [.context, .context, .context, .device]),
            (
                [0, 0, 0, 0, 1, 1, 1, 1],
                [.context, .context, .context, .device, .context, .context, .context, .giveUp]
            ),
        ] as [([Double], [VARecovery.Step])])
    func failures(seconds: [Double], steps: [VARecovery.Step]) {
        #expect(self.steps(seconds) == steps)
    }

    @Test("a device that cannot be opened again is given up where another is opened again")
    func program() {
        #expect(steps([0, 1, 2, 3], canReopen: false) == [.context, .context, .context, .giveUp])
    }

    @Test("a picture that was coded gives the device another chance")
    func success() {
        var recovery = VARecovery()
        #expect(recovery.escalate(canReopen: true) == .device)
        recovery.noteSuccess()
        #expect(recovery.escalate(canReopen: true) == .device)
        #expect(recovery.escalate(canReopen: true) == .giveUp)
    }

    @Test("what is made anew follows from all that happened before", arguments: 0..<40 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var recovery = VARecovery()
        var now = start
        var history: [Event] = []
        for _ in 0..<200 {
            now += .milliseconds(Int.random(in: 0...6000, using: &random))
            let canReopen = Int.random(in: 0..<4, using: &random) > 0
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                recovery.noteSuccess()
                history.append(.success)
            case 1:
                let expected = Event.escalation(after: history, canReopen)
                #expect(recovery.escalate(canReopen: canReopen) == expected, "seed \(seed)")
                if expected == .device { history.append(.reopening) }
            default:
                history.append(.failure(now))
                let recent = history.suffix(from: (history.lastIndex { $0.isReopening } ?? -1) + 1).count {
                    if case .failure(let time) = $0 { now - time < .seconds(10) } else { false }
                }
                let expected = recent <= 3 ? .context : Event.escalation(after: history, canReopen)
                #expect(recovery.step(at: now, canReopen: canReopen) == expected, "seed \(seed)")
                if expected == .device { history.append(.reopening) }
            }
        }
    }

    /// What happened to an encoder.
    private enum Event {
        case failure(ContinuousClock.Instant)
        case reopening
        case success

        var isReopening: Bool { if case .reopening = self { true } else { false } }

        /// A device may be opened again unless it was, and nothing was coded since.
        static func escalation(after history: [Event], _ canReopen: Bool) -> VARecovery.Step {
            let last = history.last { if case .failure = $0 { false } else { true } }
            return canReopen && !(last?.isReopening ?? false) ? .device : .giveUp
        }
    }
}
