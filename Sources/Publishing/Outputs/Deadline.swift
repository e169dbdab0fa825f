// SPDX-License-Identifier: MIT

import Synchronization

/// Bounds what an output's thread waits for in a library: asked by the library ten times a second, set by any thread.
final class Deadline: Sendable {
    /// Nanoseconds of the continuous clock from ``start``; `Int64.max` for none.
    private let end = Atomic<Int64>(.max)
    /// Nanoseconds after which no wait goes on, whatever ``end`` says.
    private let latest = Atomic<Int64>(.max)
    private let cancelled = Atomic<Bool>(false)
    private let start = ContinuousClock.now

    /// Lets the next call take so long.
    func arm(_ duration: Duration) { end.store(nanoseconds(.now + duration), ordering: .releasing) }

    /// Lets no call go on beyond a time.
    func limit(to time: ContinuousClock.Instant) { latest.store(nanoseconds(time), ordering: .releasing) }

    /// Ends what is waited for, now and from here on.
    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether what is under way has to end.
    var isOver: Bool {
        if isCancelled { return true }
        let now = nanoseconds(.now)
        return now >= min(end.load(ordering: .acquiring), latest.load(ordering: .acquiring))
    }

    private func nanoseconds(_ time: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (time - start).components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}
