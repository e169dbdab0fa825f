// SPDX-License-Identifier: MIT

/// Whether the leaky bucket that a library was opened with is believed to keep the limits, so that the session chooses
/// no quantizers of pictures beforehand: pure.
///
/// A library that looks ahead plans key frames together, and each takes less than a guess from the last one says.
/// Where a picture breaks a limit all the same it is encoded again, and the bucket is doubted for a while.
struct BucketTrust {
    /// Whether the bucket keeps within the limits, and all pictures can be encoded again; else it is never believed.
    private let isFounded: Bool
    private var doubt: Doubt?

    private struct Doubt {
        var end: MediaTime
        var seconds: Double
    }

    /// The least and the most seconds that the bucket is doubted for.
    static let doubtSeconds = 1.0...64.0

    init(isFounded: Bool) { self.isFounded = isFounded }

    /// Whether the bucket is believed for a picture of a time.
    func holds(at time: MediaTime) -> Bool {
        guard isFounded else { return false }
        return doubt.map { $0.end <= time } ?? true
    }

    /// Learns that a picture broke a limit.
    ///
    /// - Parameters:
    ///   - time: The picture's decode time.
    ///   - window: Seconds of the longest limit, and the least for which the bucket is doubted. A bucket that breaks
    ///     again within the time that it was doubted for is doubted twice as long.
    mutating func noteBreach(at time: MediaTime, window: Double) {
        var seconds = max(window, Self.doubtSeconds.lowerBound)
        if let doubt, (time - doubt.end).seconds < doubt.seconds {
            seconds = max(seconds, doubt.seconds * (doubt.end <= time ? 2 : 1))
        }
        seconds = min(seconds, Self.doubtSeconds.upperBound)
        let end = time + MediaTime(value: Int64(seconds * 1000), timescale: 1000)
        doubt = Doubt(end: max(doubt?.end ?? end, end), seconds: seconds)
    }
}
