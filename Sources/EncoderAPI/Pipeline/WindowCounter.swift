// SPDX-License-Identifier: MIT

import DequeModule

/// Counts the bytes in each window of one data-rate limit, on decode times: pure.
///
/// A window holds the frames from one decode time up to, and without, the one that lies the limit's seconds later. Each
/// frame enters and leaves once.
struct WindowCounter {
    let limit: DataRateLimit
    private let nanoseconds: Int128
    private var frames: Deque<(time: MediaTime, bytes: Int)> = []
    private var bytes = 0
    /// The most bytes that any window carried.
    private(set) var worst = 0

    init(limit: DataRateLimit) {
        self.limit = limit
        nanoseconds = Int128((limit.seconds * 1e9).rounded())
    }

    /// Whether a window carried more than the limit.
    var isBroken: Bool { worst > limit.bytes }

    /// Counts a frame; decode times increase from call to call.
    ///
    /// - Returns: Whether a window carries more than the limit, and more than any before.
    mutating func add(bytes count: Int, at time: MediaTime) -> Bool {
        while let first = frames.first, hasPassed(from: first.time, to: time) {
            bytes -= first.bytes
            frames.removeFirst()
        }
        frames.append((time, count))
        bytes += count
        guard bytes > worst else { return false }
        worst = bytes
        return isBroken
    }

    /// Whether two decode times lie as far apart as the limit's seconds, exactly.
    private func hasPassed(from start: MediaTime, to end: MediaTime) -> Bool {
        let (one, other) = (Int128(start.timescale), Int128(end.timescale))
        if one == other { return (Int128(end.value) - Int128(start.value)) * 1_000_000_000 >= nanoseconds * one }
        return (Int128(end.value) * one - Int128(start.value) * other) * 1_000_000_000 >= nanoseconds * one * other
    }
}
