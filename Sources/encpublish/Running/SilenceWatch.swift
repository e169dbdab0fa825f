// SPDX-License-Identifier: MIT

import CommandOptions

/// Notices when an input gives no picture for a minute by the clock, as a pipe may whose writer stands still.
///
/// A pure value. ``Timeline`` notices by the times of packets that sound comes without pictures; where nothing comes at
/// all, only a clock tells.
struct SilenceWatch {
    /// Seconds without a picture that are told of.
    static let longestSilence = 60.0

    private var pictures = 0
    private var since: Double
    private var isTold = false

    /// Makes a watch that begins at a time of the clock, in seconds.
    init(now: Double) { since = now }

    /// Looks how many pictures have come.
    ///
    /// - Parameters:
    ///   - pictures: Pictures since the start.
    ///   - now: The clock's time in seconds.
    /// - Returns: What is to be told; nil for nothing. A silence is told of once, and its end.
    mutating func look(pictures: Int, now: Double) -> String? {
        let passed = now - since
        if pictures != self.pictures {
            (self.pictures, since) = (pictures, now)
            guard isTold else { return nil }
            isTold = false
            return "pictures come again after \(Format.fixed(passed, 0)) s"
        }
        guard !isTold, passed >= Self.longestSilence else { return nil }
        isTold = true
        return "no picture for \(Format.fixed(passed, 0)) s by the clock: the input gives none"
    }
}
