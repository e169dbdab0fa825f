// SPDX-License-Identifier: MIT

public import EncoderAPI

/// A format, size and rate that a camera has.
public struct CaptureMode: Sendable, Hashable {
    /// The four characters of Video4Linux, such as "YUYV" or "MJPG".
    public var format: String
    /// Whether pictures come compressed, and are decoded.
    public var isCompressed: Bool
    /// Samples in a row; the smallest of a range.
    public var width: Int
    /// Rows; the smallest of a range.
    public var height: Int
    /// The largest of a range; equal to the smallest where there is one size.
    public var largest: (width: Int, height: Int)
    /// By how much sizes of a range are apart, 1 or more.
    public var step: (width: Int, height: Int)
    /// The fastest rate; nil where the camera does not say.
    public var rate: FrameRate?
    /// The slowest rate of a range; equal to the fastest where there is one.
    public var slowest: FrameRate?

    /// Describes a mode of one size.
    public init(format: String, isCompressed: Bool = false, width: Int, height: Int, rate: FrameRate?) {
        (self.format, self.isCompressed, self.width, self.height) = (format, isCompressed, width, height)
        largest = (width, height)
        step = (1, 1)
        (self.rate, slowest) = (rate, rate)
    }

    /// Whether all is equal.
    public static func == (left: CaptureMode, right: CaptureMode) -> Bool {
        left.format == right.format && left.isCompressed == right.isCompressed && left.width == right.width
            && left.height == right.height && left.largest == right.largest && left.step == right.step
            && left.rate == right.rate && left.slowest == right.slowest
    }

    /// Hashes format, smallest size and rate.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(format)
        hasher.combine(width)
        hasher.combine(height)
        hasher.combine(rate)
    }

    /// Whether it has a size.
    func has(_ size: (width: Int, height: Int)) -> Bool {
        func isBetween(_ value: Int, _ low: Int, _ high: Int, _ step: Int) -> Bool {
            value >= low && value <= high && (value - low) % max(step, 1) == 0
        }
        return isBetween(size.width, width, largest.width, step.width)
            && isBetween(size.height, height, largest.height, step.height)
    }

    /// Whether it has a rate; one that says nothing is taken to have all.
    func has(_ wanted: FrameRate) -> Bool {
        guard let rate, let slowest else { return true }
        return wanted.isNear(rate) || wanted.isNear(slowest)
            || wanted.framesPerSecond > slowest.framesPerSecond && wanted.framesPerSecond < rate.framesPerSecond
    }
}

extension CaptureMode: CustomStringConvertible {
    /// Size, rate and format in words, as "640x480 at 30 frames/s in YUYV".
    public var description: String {
        let isRange = largest != (width, height)
        let size = "\(width)x\(height)" + (isRange ? " to \(largest.width)x\(largest.height)" : "")
        guard let rate, let slowest else { return "\(size) in \(format)" }
        let rates = rate == slowest ? rate.text : "\(slowest.text) to \(rate.text)"
        return "\(size) at \(rates) frames/s in \(format)"
    }
}

extension FrameRate {
    /// As a number; 0 for none.
    var framesPerSecond: Double { denominator > 0 ? Double(numerator) / Double(denominator) : 0 }

    /// Whether both are the same to a twentieth of a percent, as 30 and 30000/1001 are not.
    func isNear(_ other: FrameRate) -> Bool {
        abs(framesPerSecond - other.framesPerSecond) <= max(framesPerSecond, other.framesPerSecond) * 0.0005
    }

    /// As libavformat reads it.
    var fraction: String { "\(numerator)/\(denominator)" }

    /// As a person reads it.
    var text: String { denominator == 1 ? "\(numerator)" : fraction }
}
