// SPDX-License-Identifier: MIT

/// What libx264's rate control shall count each picture as, where it does not follow timestamps: pure.
///
/// Without `b_vfr_input` the library takes every picture to last as long as the frame rate says, whatever the
/// timestamps are; to follow them it would hold one picture back. What it counts per picture can be changed instead:
/// the bit rate at which its buffer fills, times the time the picture stands for. This value keeps the books: all
/// pictures together are counted as the time that has passed, plus one picture that is yet to last. A picture that
/// lasts longer or shorter than was thought is made up for by the next.
///
/// As long as the sum stays within half a frame of the frame rate, nothing changes: jitter does not count.
struct X264Pace {
    /// Seconds of a frame at the frame rate that the library was opened with.
    private let nominal: Double
    private let secondsPerTick: Double
    private var firstTicks: Int64?
    private var lastTicks: Int64 = 0
    /// Seconds that the pictures so far have been counted as.
    private var counted = 0.0
    private var lastInterval = Double.infinity
    private var meanInterval: Double
    private(set) var isFollowing = false

    /// Share of a frame by which the times may deviate from the frame rate.
    static let jitter = 0.5
    /// Most of the buffer that is filled for one picture, after a pause: the library learns of the pause only after the
    /// picture that ends it has been taken out of its buffer.
    static let mostOfBuffer = 0.5
    /// Least share of its time that a picture is counted as, where those before were counted as longer than they
    /// lasted: with nothing for as long as that, the library gave 150 pictures after a slow one the largest quantizer.
    private static let leastShare = 0.5
    /// The mean interval forgets in so many pictures.
    private static let meanLength = 8.0
    /// How near the frame rate the mean interval is when following ends.
    private static let nearness = 0.02

    /// Starts with a frame rate and the ticks of ``EncodingPlan/timescale``.
    init(framesPerSecond: Double, timescale: Int32) {
        nominal = 1 / framesPerSecond
        meanInterval = nominal
        secondsPerTick = 1 / Double(timescale)
    }

    /// How much time the next picture counts as, as a multiple of a frame at the frame rate.
    ///
    /// - Parameters:
    ///   - ticks: The picture's time.
    ///   - bufferSeconds: How long the buffer takes to fill.
    /// - Returns: A share that is never negative; 1 for pictures that come at the frame rate.
    mutating func frames(at ticks: Int64, bufferSeconds: Double) -> Double {
        guard let firstTicks else {
            (firstTicks, lastTicks, counted) = (ticks, ticks, nominal)
            return 1
        }
        let elapsed = Double(ticks - firstTicks) * secondsPerTick
        let interval = Double(ticks - lastTicks) * secondsPerTick
        // A picture brings no more than fills the buffer, however long it is thought to last.
        let expected = min(interval, lastInterval, bufferSeconds)
        meanInterval += (min(interval, 1) - meanInterval) / Self.meanLength
        (lastTicks, lastInterval) = (ticks, interval)

        let owed = elapsed - counted
        if abs(owed) > Self.jitter * nominal {
            isFollowing = true
        } else if abs(meanInterval - nominal) < Self.nearness * nominal {
            isFollowing = false
        }
        guard isFollowing else {
            counted += nominal
            return 1
        }
        // What a full buffer has no room for is lost.
        let most = Self.mostOfBuffer * bufferSeconds
        counted += max(owed - most, 0)
        let count = max(expected + min(owed, most), Self.leastShare * expected)
        counted += count
        return count / nominal
    }
}
