// SPDX-License-Identifier: MIT

import DequeModule

/// Counts the bytes in each window of one data-rate limit, on decode times: pure.
///
/// A window holds the frames from one decode time up to, and without, the one that lies the limit's seconds later. Each
/// frame enters and leaves once.
struct WindowCounter {
    let limit: DataRateLimit
    private let nanoseconds: Int128
    /// Frames that may share a window with a later one, each with the bytes of all frames before it.
    private var frames: Deque<(time: MediaTime, before: Int)> = []
    /// Bytes of all frames.
    private var total = 0
    /// The most bytes that any window carried.
    private(set) var worst = 0

    init(limit: DataRateLimit) {
        self.limit = limit
        nanoseconds = Int128((limit.seconds * 1e9).rounded())
    }

    /// Counts a frame; decode times increase from call to call.
    mutating func add(bytes: Int, at time: MediaTime) {
        while let first = frames.first, hasPassed(from: first.time, to: time) { frames.removeFirst() }
        frames.append((time, total))
        total += bytes
        worst = max(worst, total - frames[0].before)
    }

    /// At least as many bytes as share a window with any later frame.
    var mostBytes: Int { frames.first.map { total - $0.before } ?? 0 }

    /// Bytes of the frames counted that share a window with one of `time`, which is later than they are.
    func bytes(sharedWith time: MediaTime) -> Int {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if hasPassed(from: frames[middle].time, to: time) { low = middle + 1 } else { high = middle }
        }
        return low < frames.count ? total - frames[low].before : 0
    }

    /// Whether two decode times lie as far apart as the limit's seconds, exactly.
    func hasPassed(from start: MediaTime, to end: MediaTime) -> Bool {
        let (one, other) = (Int128(start.timescale), Int128(end.timescale))
        if one == other { return (Int128(end.value) - Int128(start.value)) * 1_000_000_000 >= nanoseconds * one }
        return (Int128(end.value) * one - Int128(start.value) * other) * 1_000_000_000 >= nanoseconds * one * other
    }
}
