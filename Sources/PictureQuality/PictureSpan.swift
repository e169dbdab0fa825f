// SPDX-License-Identifier: MIT

package import EncoderAPI

/// How long pictures last together: from the first one's time to the end of the last.
package struct PictureSpan: Sendable {
    package init() {}

    /// Pictures so far.
    private(set) var count = 0
    private var first: MediaTime?
    private var last: (time: MediaTime, duration: MediaTime?)?

    /// Notes a picture; they may come in any order.
    package mutating func add(_ time: MediaTime, duration: MediaTime?) {
        count += 1
        first = min(first ?? time, time)
        if last.map({ $0.time < time }) ?? true { last = (time, duration) }
    }

    /// The length in seconds, with the rate that the file states, perhaps as a mean; 0 where nothing is known.
    ///
    /// Times in coarse ticks are rounded, as Matroska's are to milliseconds. A length that is that of the stated rate
    /// but for the rounding of its ends is taken to be the rate's.
    package func seconds(statedRate rate: FrameRate?) -> Double {
        guard let first, let last else { return 0 }
        let shown = (last.time - first).seconds
        let measured =
            if let duration = last.duration {
                shown + duration.seconds
            } else {
                count > 1 ? shown * Double(count) / Double(count - 1) : 0
            }
        guard let rate, rate.isPositive else { return measured }
        let (stated, tick) = (Double(count) / rate.framesPerSecond, 1 / Double(last.time.timescale))
        // Where a tick is no small part of a picture's time, the times are exact and a picture may be missing.
        let tolerance = tick * 4 * rate.framesPerSecond < 1 ? tick * 2 : 1e-9
        return abs(measured - stated) <= tolerance ? stated : measured
    }
}
