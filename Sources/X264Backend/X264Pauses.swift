// SPDX-License-Identifier: MIT

/// Leaves pauses out of the times that libx264 is told at a constant bit rate: pure.
///
/// It writes what a rate leaves while nothing comes as filler into the picture before the pause, once it knows the next
/// one's time: 4.5 MB for ten minutes of 60 kbit/s. A pause counts as half a second, or as two frames where that is
/// more.
struct X264Pauses {
    private let most: Int64
    private var last: Int64?
    private var leftOut: Int64 = 0

    private static let mostSeconds = 0.5

    /// - Parameters:
    ///   - timescale: Ticks in a second.
    ///   - framesPerSecond: What the library is opened for.
    init(timescale: Int32, framesPerSecond: Double) {
        let seconds = max(Self.mostSeconds, 2 / framesPerSecond)
        most = Int64((seconds * Double(timescale)).rounded(.up))
    }

    /// The time without pauses of a picture, which is later than the one before.
    mutating func ticks(_ ticks: Int64) -> Int64 {
        if let last, ticks - last > most { leftOut += ticks - last - most }
        last = ticks
        return ticks - leftOut
    }
}
