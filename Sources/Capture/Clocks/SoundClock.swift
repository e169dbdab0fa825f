// SPDX-License-Identifier: MIT

/// Says when a sound card recorded what it gives, by when its pieces arrive: a pure value.
///
/// A sample frame is recorded before it arrives, never after. Counted back from each arrival, the start of the sound
/// comes out too late by what that piece took; the earliest start of the last seconds is therefore the best. It follows
/// a card that is a little fast or slow, and where sample frames are lost it is found anew. All times are microseconds.
struct SoundClock: Sendable {
    private struct Arrival {
        var time: Int64
        /// When the sound would have begun, had this piece taken no time.
        var start: Double
    }

    /// How long arrivals count.
    static let memory: Int64 = 3_000_000
    /// By how much all arrivals of ``patience`` have to be late for sample frames to be lost.
    static let gap = 30_000.0
    /// How long, and in how many pieces, they are late then: a reader that was held up gets many at once.
    static let (patience, leastPieces) = (Int64(300_000), 8)

    private let rate: Double
    private var counted: Int64 = 0
    private var arrivals: [Arrival] = []
    private var start: Double?
    private var last: Int64?
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
    ///   - now: When it arrived.
    mutating func arrive(frameCount: Int, now: Int64) {
        counted += Int64(frameCount)
        let candidate = Double(now) - Double(counted) / rate * 1_000_000
        arrivals.append(Arrival(time: now, start: candidate))
        arrivals.removeAll { $0.time < now - Self.memory }
        let recent = arrivals.filter { $0.time >= now - Self.patience }
        let latest = recent.map(\.start).min() ?? candidate
        let span = now - (recent.first?.time ?? now)
        let isLong = recent.count >= Self.leastPieces && span > Self.patience / 2
        if isLong, let start, latest - start > Self.gap {
            lost += Int64((latest - start) * rate / 1_000_000)
            arrivals = recent
            self.start = latest
        } else {
            start = arrivals.map(\.start).min() ?? candidate
        }
    }

    /// When a sample frame was recorded.
    ///
    /// - Parameter position: Its number, from 0 on; of those that arrived.
    /// - Returns: At least 1 µs later than the last call's.
    mutating func time(of position: Int64) -> Int64 {
        var time = Int64((start ?? 0) + Double(position) / rate * 1_000_000)
        if let last, time <= last { time = last + 1 }
        last = time
        return time
    }
}
