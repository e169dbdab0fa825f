// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// Which frames of a session were given and have no event yet.
final class MixedLedger: Sendable {
    private struct State {
        var inside: Set<Int> = []
        /// Events of frames whose giving has not returned yet.
        var early: Set<Int> = []
        var counts = MixedCounts()
    }

    private let state = Mutex(State())

    /// Whether all frames that were given came out.
    var isSettled: Bool { state.withLock { $0.inside.isEmpty } }

    /// What became of frames since this was asked last.
    func take() -> MixedCounts {
        state.withLock { state in
            defer { state.counts = MixedCounts() }
            return state.counts
        }
    }

    func noteGiven(_ token: Int) {
        state.withLock { if $0.early.remove(token) == nil { $0.inside.insert(token) } }
    }

    func noteCancelled() { state.withLock { $0.counts.cancelled += 1 } }

    /// Notes an event; the caller gives frames one after the other, so one at most can be early.
    func note(_ frame: EncodedFrame) {
        state.withLock { state in
            guard let token = frame.token as? Int else { return fault("an event without a token", &state) }
            if state.inside.remove(token) == nil, !state.early.insert(token).inserted || state.early.count > 1 {
                fault("frame \(token) came out twice, or was not given", &state)
            }
            switch frame.outcome {
            case .encoded: state.counts.encoded += 1
            case .dropped(.rateControl): state.counts.dropped += 1
            case .dropped(let reason): fault("frame \(token) was dropped: \(reason)", &state)
            }
        }
    }

    /// Ends the session's account: frames without an event are discarded ones, or a fault.
    func close(mayDiscard: Bool) {
        state.withLock { state in
            if mayDiscard {
                state.counts.discarded += state.inside.count
            } else if !state.inside.isEmpty {
                fault("\(state.inside.count) frames never came out", &state)
            }
            if !state.early.isEmpty { fault("frames came out that were not taken: \(state.early)", &state) }
            (state.inside, state.early) = ([], [])
        }
    }

    func fault(_ text: String) { state.withLock { fault(text, &$0) } }

    private func fault(_ text: String, _ state: inout State) {
        print("FAULT: \(text)")
        state.counts.faults += 1
    }
}
