// SPDX-License-Identifier: MIT

import Synchronization

/// Bounds what an output's thread waits for in a library: asked by the library ten times a second, set by any thread.
package final class Deadline: Sendable {
    /// Nanoseconds of the continuous clock from ``start``; `Int64.max` for none.
    private let end = Atomic<Int64>(.max)
    /// Nanoseconds after which no wait goes on, whatever ``end`` says.
    private let latest = Atomic<Int64>(.max)
    /// How long no bytes may go on, in nanoseconds; 0 for a wait that ends at ``end`` whether they do or not.
    private let renewal = Atomic<Int64>(0)
    /// Nanoseconds after which a wait is renewed no more.
    private let lastRenewal = Atomic<Int64>(0)
    /// When ``isOverForLibrary()`` was called last.
    private let asked = Atomic<Int64>(.min / 2)
    private let cancelled = Atomic<Bool>(false)
    private let start = ContinuousClock.now

    /// Lets the next call take so long.
    ///
    /// - Parameters:
    ///   - duration: How long.
    ///   - isRenewed: Whether the time begins again whenever bytes have gone on, up to ``mostRenewals`` times the
    ///     duration.
    ///   - now: When the call begins.
    package func arm(_ duration: Duration, isRenewed: Bool = false, at now: ContinuousClock.Instant = .now) {
        end.store(nanoseconds(now + duration), ordering: .releasing)
        renewal.store(isRenewed ? nanoseconds(start + duration) : 0, ordering: .releasing)
        // The times that are renewed are an hour at most: this only keeps the product from overflowing.
        let last = now + min(duration, .seconds(3600)) * (Self.mostRenewals - 1)
        lastRenewal.store(nanoseconds(last), ordering: .releasing)
    }

    /// So many times the duration is the longest that a renewed wait takes.
    static let mostRenewals = 12

    /// Lets no call go on beyond a time.
    func limit(to time: ContinuousClock.Instant) { latest.store(nanoseconds(time), ordering: .releasing) }

    /// Ends what is waited for, now and from here on.
    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Whether ``cancel()`` was called.
    package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether what is under way has to end.
    package var isOver: Bool { isOver(at: .now) }

    /// Whether what is under way has to end at a time.
    func isOver(at now: ContinuousClock.Instant) -> Bool {
        if isCancelled { return true }
        return nanoseconds(now) >= min(end.load(ordering: .acquiring), latest.load(ordering: .acquiring))
    }

    /// What a library asks while it waits, from the thread that armed this: whether to end the wait.
    ///
    /// One write to RTMP is a whole tag, which a slow peer takes longer to read than it may take nothing. Version 59 of
    /// libavformat waits for the socket in steps of 100 ms and asks after each; it asks at once when bytes have gone
    /// on. It tells nothing else of how far a write is. With a library that asked more often, a write to a peer that
    /// takes nothing would be ended after ``mostRenewals`` times its duration only; with one that asked less often,
    /// nothing would be renewed.
    func isOverForLibrary(at now: ContinuousClock.Instant = .now) -> Bool {
        let asking = nanoseconds(now)
        let last = asked.exchange(asking, ordering: .relaxed)
        let renewal = renewal.load(ordering: .relaxed)
        if renewal > 0, asking - last < 50_000_000, asking <= lastRenewal.load(ordering: .acquiring) {
            end.store(asking + renewal, ordering: .releasing)
        }
        return isOver(at: now)
    }

    private func nanoseconds(_ time: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (time - start).components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}
