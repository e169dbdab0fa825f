// SPDX-License-Identifier: MIT

package import EncoderAPI

/// The highest bit rate of an encode with a constant rate factor, which no window passes: a bucket of programs with
/// this number as maxrate and bufsize lets twice as much through in a second.
package struct RateCap: Hashable, Sendable {
    /// From 1000 to 1,000,000,000.
    package var bitsPerSecond: Int
    /// The window in which it holds, in seconds, 0.001 to 3600.
    package var seconds: Double

    package init(bitsPerSecond: Int, seconds: Double = 1) {
        self.bitsPerSecond = bitsPerSecond
        self.seconds = seconds
    }

    /// As a session keeps it.
    package var limit: DataRateLimit {
        DataRateLimit(bytes: max(1, Int((Double(bitsPerSecond) * seconds / 8).rounded())), seconds: seconds)
    }
}

/// What decides the bits of a point.
package struct PointRate: Hashable, Sendable {
    package var control: RateControl
    /// Nil for none.
    package var cap: RateCap?

    package init(_ control: RateControl, cap: RateCap? = nil) {
        self.control = control
        self.cap = cap
    }

    /// "crf 23", "crf 23 up to 1000000 bit/s".
    package var label: String { control.label + (cap.map { " up to \($0.bitsPerSecond) bit/s" } ?? "") }
}
