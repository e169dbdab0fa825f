// SPDX-License-Identifier: MIT

package import EncoderAPI

/// The window of a stream that carries the most bytes: the measure of a data-rate limit, counted from the frames that
/// came out, independently of the session's own count.
package struct LargestWindow: Codable, Equatable, Sendable {
    /// Bytes of the frames whose decode times lie in it.
    package var bytes: Int
    /// The decode time that it begins with, in seconds.
    package var start: Double

    /// Looks at all windows from one frame's decode time up to, and without, the one that lies so many seconds later.
    ///
    /// The first of the largest counts; nil without frames.
    ///
    /// - Parameters:
    ///   - frames: Decode times, which increase, and bytes.
    ///   - seconds: Length of a window, exact to the nanosecond.
    package init?(_ frames: [(time: MediaTime, bytes: Int)], seconds: Double) {
        guard let first = frames.first else { return nil }
        let nanoseconds = Int128((seconds * 1e9).rounded())
        (bytes, start) = (0, first.time.seconds)
        var (begin, sum) = (0, 0)
        for frame in frames {
            sum += frame.bytes
            while Self.nanoseconds(from: frames[begin].time, isAtLeast: nanoseconds, to: frame.time) {
                sum -= frames[begin].bytes
                begin += 1
            }
            guard sum > bytes else { continue }
            (bytes, start) = (sum, frames[begin].time.seconds)
        }
    }

    /// Whether two times lie so many nanoseconds apart or more, without rounding.
    private static func nanoseconds(from start: MediaTime, isAtLeast length: Int128, to end: MediaTime) -> Bool {
        let (one, other) = (Int128(start.timescale), Int128(end.timescale))
        return (Int128(end.value) * one - Int128(start.value) * other) * 1_000_000_000 >= length * one * other
    }
}
