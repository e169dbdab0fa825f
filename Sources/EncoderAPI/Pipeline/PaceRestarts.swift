// SPDX-License-Identifier: MIT

/// Decides when an encoder that counts pictures gives way to another one for the frame rate that was seen: pure.
///
/// Too many pictures break limits, so that is soon mended. Too few leave bits unspent: that must last, and so must a
/// small excess soon after another restart. Where the rate goes up and down, each way down waits twice as long as the
/// one before, so that a variable rate does not make one key frame after the other.
struct PaceRestarts {
    private var last: MediaTime?
    /// Seconds from any restart to one for a lower rate.
    private var wait = shortestWait

    /// The frame rate that another encoder was opened for again, since the parameter sets allow no other.
    var keptRate: FrameRate?

    /// A source that gave so few pictures in a second rested, and one with so many times as many is awake: each picture
    /// until then gets what was for one of the few.
    private static let (restingRate, wakingExcess) = (2.0, 4.0)
    private static let shortestWait = 10.0
    private static let longestWait = 320.0

    /// Whether what was seen is worth a restart.
    func areWorth(_ seen: FrameRateMeter.Contradiction, from pace: FrameRate, at time: MediaTime) -> Bool {
        let elapsed = last.map { (time - $0).seconds } ?? .infinity
        guard seen.isFaster else { return seen.intervals >= 48 && elapsed >= wait }
        let excess = seen.rate.framesPerSecond / pace.framesPerSecond
        if pace.framesPerSecond <= Self.restingRate, excess >= Self.wakingExcess { return true }
        return seen.intervals >= (elapsed < Self.shortestWait && excess < 1.5 ? 48 : 6)
    }

    /// Notes that it was done.
    mutating func note(_ seen: FrameRateMeter.Contradiction, at time: MediaTime) {
        last = time
        if !seen.isFaster { wait = min(2 * wait, Self.longestWait) }
    }
}
