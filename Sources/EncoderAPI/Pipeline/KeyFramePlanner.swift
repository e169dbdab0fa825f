// SPDX-License-Identifier: MIT

/// Says which frames must be forced to be sync frames so that none are further apart than asked: pure.
///
/// An encoder keeps the interval in frames that it was opened with, counted from whatever sync frame came last. Another
/// one, and the interval in seconds, are kept from here.
struct KeyFramePlanner {
    private var duration: MediaTime?
    /// Most frames from sync frame to sync frame where the open encoder was told otherwise; nil where it was not.
    private var interval: Int?
    /// What the open encoder was told.
    private var told: Int?
    private var lastSync: (id: Int, time: MediaTime)?
    private var lastForced: Int?
    private var forcesNext = false
    /// Whether the next frame is the first of an encoder.
    private var isOpening = true

    init(_ live: LiveParameters) {
        told = live.asked.maxKeyFrameInterval
        change(to: live)
    }

    /// Goes on with an encoder that was opened with `live`.
    mutating func noteOpening(with live: LiveParameters) {
        told = live.asked.maxKeyFrameInterval
        isOpening = true
        change(to: live)
    }

    /// Goes on with other intervals.
    mutating func change(to live: LiveParameters) {
        interval = live.asked.maxKeyFrameInterval == told ? nil : live.asked.maxKeyFrameInterval
        // Microseconds: fine enough for any frame rate, and free of the rounding of sums of fractions. Rounded down:
        // two thirds of a second as a Double must not be more than 20 frames at 30 frames per second.
        duration = live.asked.maxKeyFrameIntervalDuration.map { seconds in
            let microseconds = (seconds * 1_000_000).rounded(.down)
            return MediaTime(seconds: microseconds / 1_000_000, preferredTimescale: 1_000_000)
        }
    }

    /// Whether the frame at `time` must be a sync frame; ids count the frames given to encoders.
    mutating func mustForce(_ id: Int, at time: MediaTime, requested: Bool) -> Bool {
        let forces = requested || forcesNext || isDue(id, at: time)
        // An encoder's first picture is a sync frame without being told, and need not have come out to count.
        if forces || isOpening { noteSync(id, at: time) }
        if forces { lastForced = id }
        (forcesNext, isOpening) = (false, false)
        return forces
    }

    private func isDue(_ id: Int, at time: MediaTime) -> Bool {
        guard let lastSync else { return duration != nil || interval != nil }
        if let duration, time - lastSync.time >= duration { return true }
        return interval.map { id - lastSync.id >= $0 } ?? false
    }

    /// Makes the next frame a sync frame.
    mutating func forceNext() { forcesNext = true }

    /// Makes the next frame a sync frame, because the frame with `id` is missing in the stream, unless one after it was
    /// forced already.
    mutating func makeUp(for id: Int) {
        if let lastForced, lastForced > id { return }
        forcesNext = true
    }

    /// Notes a sync frame that came out, so that one the encoder chose by itself counts.
    mutating func noteSync(_ id: Int, at time: MediaTime) {
        if let lastSync, time <= lastSync.time { return }
        lastSync = (id, time)
    }
}
