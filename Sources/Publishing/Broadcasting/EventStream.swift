// SPDX-License-Identifier: MIT

import Synchronization

/// Tells a broadcast's events in the order in which they happened, and never while a lock of the broadcast is held.
///
/// What happens is posted where it happens, under whatever lock that is; ``tell()`` is called once none is held. A
/// listener that runs at once may call the broadcast.
final class EventStream: Sendable {
    private struct State {
        var posted: [BroadcastEvent] = []
        var isEnded = false
        var isTelling = false
    }

    /// For the one reader; of a slow one's events the newest 1024 are kept.
    let events: AsyncStream<BroadcastEvent>
    private let continuation: AsyncStream<BroadcastEvent>.Continuation
    private let state = Mutex(State())

    init() {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    }

    /// Keeps an event for the next call of ``tell()``, and calls nobody.
    ///
    /// Does nothing after ``end()``.
    func post(_ event: BroadcastEvent) {
        state.withLock { if !$0.isEnded { $0.posted.append(event) } }
    }

    /// Ends the stream behind what was posted.
    func end() {
        state.withLock { $0.isEnded = true }
        tell()
    }

    /// Tells what was posted; one thread at a time does so for all, which keeps the order.
    func tell() {
        while true {
            let (event, isOver): (BroadcastEvent?, Bool) = state.withLock { state in
                guard !state.isTelling, !state.posted.isEmpty else { return (nil, !state.isTelling && state.isEnded) }
                state.isTelling = true
                return (state.posted.removeFirst(), false)
            }
            guard let event else {
                if isOver { continuation.finish() }
                return
            }
            continuation.yield(event)
            state.withLock { $0.isTelling = false }
        }
    }
}
