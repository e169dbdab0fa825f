// SPDX-License-Identifier: MIT

/// Watches all limits of a session, and says which a stream breaks: pure.
struct LimitWatch {
    /// A limit's counter, and the id of the first picture that was given under it.
    private var watches: [(counter: WindowCounter, first: Int)]

    /// Whether ``peaks`` changed since this was set to false.
    var hasNewPeaks = false

    init(limits: [DataRateLimit]) {
        watches = limits.map { (counter: WindowCounter(limit: $0), first: 0) }
    }

    /// Goes on with other limits for the pictures with ids from `first` on; those given before count for limits that
    /// stay only, whenever they come out.
    mutating func change(to limits: [DataRateLimit], from first: Int) {
        hasNewPeaks = true
        watches = limits.map { limit in
            watches.first { $0.counter.limit == limit } ?? (counter: WindowCounter(limit: limit), first: first)
        }
    }

    /// Counts a picture that comes out.
    ///
    /// - Returns: Whether ``adjustments`` changed.
    mutating func add(bytes: Int, of id: Int, at time: MediaTime) -> Bool {
        var isNews = false
        for index in watches.indices where id >= watches[index].first {
            let worst = watches[index].counter.worst
            if watches[index].counter.add(bytes: bytes, at: time) { isNews = true }
            if watches[index].counter.worst != worst { hasNewPeaks = true }
        }
        return isNews
    }

    /// The fullest windows.
    var peaks: [SessionStatistics.WindowPeak] {
        watches.map { SessionStatistics.WindowPeak(limit: $0.counter.limit, bytes: $0.counter.worst) }
    }

    /// The limits that are broken.
    var broken: [WindowCounter] { watches.map(\.counter).filter(\.isBroken) }

    /// What became of the limits that are broken.
    var adjustments: [Adjustment] {
        broken.map {
            Adjustment(
                .dataRateLimits, requested: "\($0.limit)", used: "\($0.worst) bytes in a window",
                reason: "the encoder did not keep the limit")
        }
    }
}
