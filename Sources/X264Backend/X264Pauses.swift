// SPDX-License-Identifier: MIT

/// Leaves pauses out of the times that libx264 is told: pure.
///
/// At a constant bit rate it writes what a rate leaves while nothing comes as filler into the picture before the pause,
/// once it knows the next one's time: 4.5 MB for ten minutes of 60 kbit/s. A pause counts as the time in which the
/// decoder's buffer fills, which is all that one picture can have. Beside data-rate limits it counts as half a second,
/// which is the most in any case: told five seconds for each picture, the library gave them a fourth of the bytes.
struct X264Pauses {
    private let ticksPerSecond: Double
    private let frame: Double
    private var last: Int64?
    private var leftOut: Int64 = 0

    /// The most seconds that a pause counts as.
    static let mostSeconds = 0.5

    /// - Parameters:
    ///   - timescale: Ticks in a second.
    ///   - framesPerSecond: What the library is opened for.
    init(timescale: Int32, framesPerSecond: Double) {
        ticksPerSecond = Double(timescale)
        frame = 1 / framesPerSecond
    }

    /// The time without pauses of a picture, which is later than the one before.
    ///
    /// - Parameters:
    ///   - ticks: The picture's time.
    ///   - bufferSeconds: What a pause counts as, but for a frame at least; nil for what it lasts.
    /// - Returns: That time, earlier by what was left out.
    mutating func ticks(_ ticks: Int64, bufferSeconds: Double?) -> Int64 {
        if let last, let bufferSeconds {
            let seconds = min(Self.mostSeconds, bufferSeconds)
            let most = Int64(
                max((seconds * ticksPerSecond).rounded(.down), (frame * ticksPerSecond).rounded(.up)))
            leftOut += max(ticks - last - most, 0)
        }
        last = ticks
        return ticks - leftOut
    }
}
