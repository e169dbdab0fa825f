// SPDX-License-Identifier: MIT

/// Says which frames must be forced to be sync frames so that none are further apart in time than asked: pure.
///
/// Intervals in frames are the encoder's business; it counts from whatever sync frame came last.
struct KeyFramePlanner {
    private let duration: MediaTime?
    private var lastSync: MediaTime?
    private var forcesNext = false

    /// - Parameter seconds: Most seconds between sync frames; 0 for no limit.
    init(maxIntervalDuration seconds: Double) {
        // Microseconds: fine enough for any frame rate, and free of the rounding of sums of fractions. Rounded down: two
        // thirds of a second as a Double must not be more than 20 frames at 30 frames per second.
        let microseconds = (seconds * 1_000_000).rounded(.down)
        duration = seconds > 0 ? MediaTime(seconds: microseconds / 1_000_000, preferredTimescale: 1_000_000) : nil
    }

    /// Whether the frame at `time` must be a sync frame.
    mutating func mustForce(at time: MediaTime, requested: Bool) -> Bool {
        let due = duration.map { duration in lastSync.map { time - $0 >= duration } ?? true } ?? false
        let forces = requested || due || forcesNext
        if forces { noteSync(at: time) }
        forcesNext = false
        return forces
    }

    /// Makes the next frame a sync frame, because a frame before it is missing in the stream.
    mutating func forceNext() { forcesNext = true }

    /// Notes a sync frame that came out, so that one the encoder chose by itself counts.
    mutating func noteSync(at time: MediaTime) {
        if let lastSync, time <= lastSync { return }
        lastSync = time
    }
}
