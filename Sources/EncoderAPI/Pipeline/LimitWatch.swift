// SPDX-License-Identifier: MIT

/// Watches all limits of a session, and says which a stream breaks: pure.
struct LimitWatch {
    private var counters: [WindowCounter]

    init(limits: [DataRateLimit]) {
        counters = limits.map(WindowCounter.init)
    }

    /// Goes on with other limits; what came out before counts for those that stay only.
    mutating func change(to limits: [DataRateLimit]) {
        counters = limits.map { limit in
            counters.first { $0.limit == limit } ?? WindowCounter(limit: limit)
        }
    }

    /// Counts a frame that comes out.
    ///
    /// - Returns: Whether ``adjustments`` changed.
    mutating func add(bytes: Int, at time: MediaTime) -> Bool {
        var isNews = false
        for index in counters.indices where counters[index].add(bytes: bytes, at: time) { isNews = true }
        return isNews
    }

    /// The limits that are broken.
    var broken: [WindowCounter] { counters.filter(\.isBroken) }

    /// What became of the limits that are broken.
    var adjustments: [Adjustment] {
        broken.map {
            Adjustment(
                .dataRateLimits, requested: "\($0.limit)", used: "\($0.worst) bytes in a window",
                reason: "the encoder did not keep the limit")
        }
    }
}
