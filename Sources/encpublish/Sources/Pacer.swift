// SPDX-License-Identifier: MIT

import EncoderAPI

/// When to go on with what has a time in its stream, so that seconds of media take as many of the clock.
struct Pacer: Sendable {
    private var start: (media: Double, clock: Double)?

    /// The clock's time at which to go on with something.
    ///
    /// - Parameters:
    ///   - time: Its time in the stream; the first one starts the clock.
    ///   - now: The clock's time, in seconds.
    /// - Returns: A time that may have passed: what comes late is caught up with.
    mutating func due(_ time: MediaTime, now: Double) -> Double {
        guard let start else {
            start = (time.seconds, now)
            return now
        }
        return start.clock + time.seconds - start.media
    }
}
