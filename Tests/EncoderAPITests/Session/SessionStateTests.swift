// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct SessionStateTests {
    struct Setup: Sendable, CustomTestStringConvertible {
        var capacity = 2
        var mostHeld: Int?
        var isPrompt = false
        var keeps = 0
        var depth = 0
        var hasHandler = false
        /// Steps of the sequences that are all tried.
        var steps = 5

        var testDescription: String {
            "capacity \(capacity), holds \(mostHeld.map(String.init) ?? "any"), keeps \(keeps), \(depth) in flight"
                + (hasHandler ? ", handler" : "")
        }

        var world: SessionStateWorld {
            SessionStateWorld(
                capacity: capacity, mostHeld: mostHeld, isPrompt: isPrompt, keeps: keeps, depth: depth,
                hasHandler: hasHandler)
        }
    }

    static let setups = [
        Setup(), Setup(capacity: 3, keeps: 1), Setup(isPrompt: true), Setup(mostHeld: 0, isPrompt: true),
        Setup(capacity: 4, mostHeld: 1, isPrompt: true, keeps: 1), Setup(mostHeld: 0, isPrompt: true, keeps: 1),
        Setup(depth: 1), Setup(capacity: 3, keeps: 1, depth: 2), Setup(mostHeld: 1, isPrompt: true, depth: 2),
        Setup(hasHandler: true, steps: 6), Setup(isPrompt: true, hasHandler: true),
        Setup(mostHeld: 1, isPrompt: true, keeps: 1, depth: 1, hasHandler: true),
    ]

    @Test(
        "nobody waits in vain, or goes on twice, and calls keep their order, in any sequence of five steps, or six",
        arguments: setups)
    func allSequences(setup: Setup) {
        var taken = 0
        let fault = fault(in: setup.world, after: [], depth: setup.steps, taken: &taken)
        #expect(fault == nil)
        #expect(taken > 5_000)
    }

    @Test(
        "nobody waits in vain, or goes on twice, and calls keep their order, in long random sequences",
        arguments: setups)
    func sampledLongSequences(setup: Setup) {
        var generator = SeededGenerator()
        for _ in Sample.of(Array(0..<2_000), least: 500) {
            var world = setup.world
            var steps: [SessionStateWorld.Step] = []
            for _ in 0..<40 {
                // Endings are rare, so that much happens before them.
                let step = SessionStateWorld.Step.allCases.randomElement(using: &generator) ?? .thread
                if [.finish, .invalidate].contains(step), !generator.next().isMultiple(of: 16) { continue }
                guard world.take(step) else { continue }
                steps.append(step)
                if let complaint = world.complaint {
                    Issue.record("\(complaint) after \(steps)")
                    return
                }
            }
        }
    }

    private func fault(
        in world: SessionStateWorld, after steps: [SessionStateWorld.Step], depth: Int, taken: inout Int
    ) -> String? {
        if let complaint = world.complaint { return "\(complaint) after \(steps)" }
        guard depth > 0 else { return nil }
        for step in SessionStateWorld.Step.allCases {
            var next = world
            guard next.take(step) else { continue }
            taken += 1
            if let fault = fault(in: next, after: steps + [step], depth: depth - 1, taken: &taken) { return fault }
        }
        return nil
    }
}
