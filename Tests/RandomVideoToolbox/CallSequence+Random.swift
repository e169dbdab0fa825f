// SPDX-License-Identifier: MIT

import RandomSessions

extension CallSequence {
    /// A random life: of four threads where it `isRacing`, else of one.
    static func random(using generator: inout some RandomNumberGenerator, isRacing: Bool) -> CallSequence {
        func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
        var sequence = CallSequence()
        sequence.isRealTime = oneIn(2)
        sequence.isCompleted = !oneIn(3)
        sequence.pretence.delay = [0, 0, 1, 2].randomElement(using: &generator) ?? 0
        sequence.pretence.reorders = oneIn(4)
        sequence.pretence.updatesLive = !oneIn(4)
        sequence.pretence.outlivesDraining = oneIn(3)
        sequence.pretence.depth = oneIn(3) ? 2 : 0
        if isRacing, oneIn(8) { sequence.pretence.failingOpening = Int.random(in: 0..<2, using: &generator) }
        let keys = SessionKey.allCases.shuffled(using: &generator)
        for thread in 0..<(isRacing ? 4 : 1) {
            let own = isRacing ? [keys[2 * thread], keys[2 * thread + 1]] : keys
            var calls: [SessionCall] = []
            for _ in 0..<Int.random(in: 1...(isRacing ? 12 : 30), using: &generator) {
                calls.append(.random(using: &generator, keys: own, isRacing: isRacing))
            }
            if oneIn(isRacing ? 8 : 6) {
                calls.insert(.invalidate, at: Int.random(in: 0...calls.count, using: &generator))
            }
            if oneIn(4) { calls.append(.release) }
            sequence.threads.append(calls)
        }
        guard isRacing else {
            sequence.makePredictable()
            return sequence
        }
        for _ in 0..<Int.random(in: 0..<3, using: &generator) {
            let number = Int.random(in: 0..<20, using: &generator)
            let calls: [SessionCall] = [
                .encode(.init()), .complete(upToLast: false), .prepare, .copy(keys[0]), .invalidate, .release,
            ]
            sequence.inCallbacks[number] = (0...Int.random(in: 0..<2, using: &generator)).compactMap { _ in
                calls.randomElement(using: &generator)
            }
        }
        return sequence
    }
}

extension CallSequence {
    /// Leaves out what depends on when the session comes to know of it.
    private mutating func makePredictable() {
        // A rate is kept at the pace at which frames come, which gaps change.
        let keepsRate = threads[0].contains { if case .set(.average, _) = $0 { true } else { false } }
        threads[0] = threads[0].map { call in
            guard case .encode(var frame) = call else { return call }
            if keepsRate { frame.isLate = false }
            // A forced key frame that is left out is made up for, with a device when it comes to be known.
            if pretence.depth > 0, frame.fate == .skipped { frame.force = false }
            return .encode(frame)
        }
    }
}

extension SessionCall {
    static func random(
        using generator: inout some RandomNumberGenerator, keys: [SessionKey], isRacing: Bool
    ) -> SessionCall {
        let key = keys.randomElement(using: &generator) ?? .unknown
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<11:
            var frame = Frame()
            frame.force = Int.random(in: 0..<8, using: &generator) == 0
            frame.isLate = Int.random(in: 0..<20, using: &generator) == 0
            if Int.random(in: 0..<10, using: &generator) == 0 { frame.fate = .skipped }
            if isRacing, Int.random(in: 0..<100, using: &generator) == 0 { frame.fate = .failing }
            return .encode(frame)
        case 11..<15: return .set(key, Int.random(in: 0..<key.values.count, using: &generator))
        case 15, 16: return .copy(key)
        case 17: return .prepare
        default: return .complete(upToLast: Bool.random(using: &generator))
        }
    }
}
