// SPDX-License-Identifier: MIT

/// Says when a sound card recorded what it gives, or played what its monitor gives: a pure value.
///
/// Sample frames are counted. Counted back from the arrival of each piece, the start of the sound comes out too late by
/// what that piece took; the earliest start of the last seconds is therefore the best. It follows a card that is a
/// little fast or slow, and where sample frames are lost it is found anew. How long before their arrival sample frames
/// were recorded, or after it are heard, is what the server's own stamps say, in the middle. Times are microseconds.
struct SoundClock: Sendable {
    private struct Arrival {
        var time: Int64
        /// When the sound would have begun, had this piece taken no time.
        var start: Double
        /// How much later than by the arrivals up to this one it began by the server's stamp.
        var delay: Double?
    }

    /// How long arrivals count.
    static let memory: Int64 = 3_000_000
    /// By how much all arrivals of ``patience`` have to be late for sample frames to be lost.
    static let gap = 30_000.0
    /// How long, and in how many pieces, they are late then: a reader that was held up gets many at once.
    static let (patience, leastPieces) = (Int64(300_000), 8)
    /// How long the server's stamps are not believed: a card's buffers shrink when its capture begins.
    static let settling: Int64 = 500_000
    /// The longest that sample frames are under way: the server's stamps are of another clock, or none, beyond it.
    static let longestDelay = 500_000.0

    private let rate: Double
    private var counted: Int64 = 0
    private var arrivals: [Arrival] = []
    private var start: Double?
    private var firstArrival: Int64?
    private var last: Int64?
    /// The delay before sample frames were lost last.
    private var delayBefore = 0.0
    /// Sample frames that are taken to have been lost.
    private(set) var lost: Int64 = 0

    /// Makes a clock of a card.
    ///
    /// - Parameter sampleRate: Sample frames in a second, 1 or more.
    init(sampleRate: Int) { rate = Double(max(sampleRate, 1)) }

    /// Takes notice of a piece that arrived.
    ///
    /// - Parameters:
    ///   - frameCount: Sample frames in it.
    ///   - stamp: When its first one was recorded, as the server says; nil where it does not.
    ///   - now: When it arrived.
    mutating func arrive(frameCount: Int, stamp: Int64? = nil, now: Int64) {
        let first = firstArrival ?? now
        firstArrival = first
        let stamped = stamp.map { Double($0) - microseconds(counted) }
        counted += Int64(frameCount)
        let candidate = Double(now) - microseconds(counted)
        arrivals.append(Arrival(time: now, start: candidate))
        arrivals.removeFirst(arrivals.prefix { $0.time < now - Self.memory }.count)
        let recent = arrivals.filter { $0.time >= now - Self.patience }
        let latest = recent.map(\.start).min() ?? candidate
        let span = now - (recent.first?.time ?? now)
        let isLong = recent.count >= Self.leastPieces && span > Self.patience / 2
        if isLong, let start, latest - start > Self.gap {
            lost += Int64((latest - start) * rate / 1_000_000)
            delayBefore = delay
            arrivals = recent.map { Arrival(time: $0.time, start: $0.start) }
            self.start = latest
        } else {
            start = arrivals.map(\.start).min() ?? candidate
        }
        if let stamped, let start, now - first > Self.settling, abs(stamped - start) <= Self.longestDelay {
            arrivals[arrivals.count - 1].delay = stamped - start
        }
    }

    private func microseconds(_ frames: Int64) -> Double { Double(frames) / rate * 1_000_000 }

    /// How much later the sound began than by its arrivals: the middle of what the stamps say; 0 before they say it.
    private var delay: Double {
        let delays = arrivals.compactMap(\.delay).sorted()
        return delays.count < Self.leastPieces ? delayBefore : delays[delays.count / 2]
    }

    /// When a sample frame was recorded.
    ///
    /// - Parameter position: Its number, from 0 on; of those that arrived.
    /// - Returns: At least 1 µs later than the last call's.
    mutating func time(of position: Int64) -> Int64 {
        var time = Int64((start ?? 0) + delay + microseconds(position))
        if let last, time <= last { time = last + 1 }
        last = time
        return time
    }
}
