// SPDX-License-Identifier: MIT

import DequeModule

/// Gives each coded frame its decode time: pure.
///
/// With a reorder depth of d, the n-th frame to be decoded can start no later than the (n - d)-th presentation time in
/// display order; that is its decode time. The first d frames come before the first presentation time, evenly spaced
/// over as much time as the first d + 1 presentation times span. So decode times strictly increase and never pass a
/// presentation time.
///
/// Where a later encoder reorders deeper, the additional decode times lie between the frames before and after it.
///
/// A frame that an encoder left out is not decoded, so it takes no decode time from the others: see ``skip(_:)``. One
/// that was coded and is dropped for a data-rate limit has taken its own.
struct DecodeTimestamps {
    private var reorderDepth: Int
    /// Presentation times that no decode time was taken from yet, in display order.
    private var pending: Deque<MediaTime> = []
    /// Frames that are yet to be decoded before the first presentation time.
    private var leading: Int
    /// The first presentation time and the distance of the decode times before it; nil before the first output.
    private var start: (time: MediaTime, step: MediaTime)?
    private var last: MediaTime?
    /// Decode times that are missing since the depth grew: no two frames since then lay far enough apart for more.
    private(set) var missing = 0

    init(reorderDepth: Int) {
        self.reorderDepth = reorderDepth
        leading = reorderDepth
    }

    /// Goes on with an encoder of another depth, after the one before was flushed.
    ///
    /// A smaller depth changes nothing, because decode times must go on without a jump.
    mutating func change(reorderDepth depth: Int) {
        guard depth > reorderDepth else { return }
        if last == nil { leading += depth - reorderDepth } else { missing += depth - reorderDepth }
        reorderDepth = depth
    }

    /// Notes a frame given to the encoder; presentation times strictly increase.
    mutating func submit(_ presentationTime: MediaTime) {
        if missing > 0, let before = pending.last ?? last {
            let between = before.times(before: presentationTime, count: missing)
            pending.append(contentsOf: between)
            missing -= between.count
        }
        pending.append(presentationTime)
    }

    /// Notes that a frame given to the encoder is not in the stream, before or after others of its time came out.
    ///
    /// - Returns: Which of the times that were left is left out, for ``skip(at:)`` of the same frames on another clock.
    @discardableResult
    mutating func skip(_ presentationTime: MediaTime) -> Int? {
        // Where the frame's own time was taken already, by one that is decoded early, the next one is too many.
        guard let index = pending.firstIndex(where: { $0 >= presentationTime }) else { return nil }
        pending.remove(at: index)
        return index
    }

    /// Leaves out one of the times that are left, the first being 0.
    mutating func skip(at index: Int) { pending.remove(at: index) }

    /// The decode time of the next coded frame.
    ///
    /// `frameDuration` stands in for presentation times that are not known yet (a stream of fewer frames than the
    /// reorder depth).
    func upcoming(frameDuration: MediaTime) -> MediaTime {
        guard leading > 0 else { return pending.first ?? last ?? .zero }
        guard let start = start ?? begin(frameDuration) else { return last ?? .zero }
        let distance = MediaTime(value: start.step.value * Int64(leading), timescale: start.step.timescale)
        return start.time - distance
    }

    /// Takes the decode time of the next coded frame.
    @discardableResult
    mutating func next(frameDuration: MediaTime) -> MediaTime {
        let time = upcoming(frameDuration: frameDuration)
        last = time
        if leading == 0 {
            _ = pending.popFirst()
        } else if let begun = start ?? begin(frameDuration) {
            start = begun
            leading -= 1
        }
        return time
    }

    private func begin(_ frameDuration: MediaTime) -> (time: MediaTime, step: MediaTime)? {
        guard let first = pending.first, let latest = pending.last else { return nil }
        var span = (pending.count > reorderDepth ? pending[reorderDepth] : latest) - first
        if pending.count <= reorderDepth {
            for _ in pending.count...reorderDepth { span += frameDuration }
        }
        return (first, span.divided(by: reorderDepth))
    }
}

extension MediaTime {
    /// `count` times between this one and `end`, evenly apart; fewer where even the finest timescale has no room.
    fileprivate func times(before end: MediaTime, count: Int) -> [MediaTime] {
        let step = (end - self).divided(by: count + 1)
        let times = (1...count).map { self + MediaTime(value: step.value * Int64($0), timescale: step.timescale) }
        let all = [self] + times + [end]
        if zip(all, all.dropFirst()).allSatisfy(<) { return times }
        let finest = Int32.max
        // Both are rounded down: the tick after `start` is later than this time, `stop` may be the end itself.
        let (start, stop) = (ticks(timescale: finest), end.ticks(timescale: finest))
        let most = MediaTime(value: stop, timescale: finest) == end ? stop - 1 : stop
        let room = max(min(Int64(count), most - start), 0)
        return (0..<room).map { MediaTime(value: start + 1 + $0, timescale: finest) }
    }

    /// A part of a time, rounded down to a tick; in finer ticks where it is less than one and the timescale can grow.
    fileprivate func divided(by parts: Int) -> MediaTime {
        let ticks = value / Int64(parts)
        if ticks > 0 { return MediaTime(value: ticks, timescale: timescale) }
        let (fine, overflow) = timescale.multipliedReportingOverflow(by: Int32(clamping: parts))
        return overflow ? MediaTime(value: 1, timescale: timescale) : MediaTime(value: value, timescale: fine)
    }
}
