// SPDX-License-Identifier: MIT

/// Frames per second as an exact fraction.
///
/// Whole and fractional literals work: `live.expectedFrameRate = 30`, `= 29.97` (taken as 30000/1001).
public struct FrameRate: Sendable, Hashable {
    /// Frames per ``denominator`` seconds; 1 or more.
    public let numerator: Int
    /// 1 or more.
    public let denominator: Int

    /// Makes a rate of `numerator / denominator` frames per second; the range is checked when a session is made.
    public init(numerator: Int, denominator: Int = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Makes the rate nearest to a decimal number: whole, or a multiple of 1000/1001 as broadcast uses it, else in
    /// thousandths.
    ///
    /// - Parameter framesPerSecond: More than 0; not-a-number and infinity give a rate that a session refuses.
    public init(_ framesPerSecond: Double) {
        guard framesPerSecond.isFinite, abs(framesPerSecond) < 1e9 else {
            self.init(numerator: -1)
            return
        }
        let whole = framesPerSecond.rounded()
        let broadcast = (framesPerSecond * 1.001).rounded()
        if abs(framesPerSecond - whole) < 1e-4 {
            self.init(numerator: Int(whole))
        } else if abs(framesPerSecond - broadcast / 1.001) < 5e-3 {
            self.init(numerator: Int(broadcast) * 1000, denominator: 1001)
        } else {
            self.init(numerator: Int((framesPerSecond * 1000).rounded()), denominator: 1000)
        }
    }

    /// The rate that frames of one duration have, in lowest terms of at most 31 bits.
    ///
    /// Exact where such terms exist; else the nearest fraction that has them, which is off by less than one part in
    /// 2^30 for rates of 0.01 to 1000. Nil for a duration of 0 or less.
    public init?(frameDuration: MediaTime) {
        self.init(frames: 1, in: frameDuration)
    }

    /// Rates that a hint may have, and at which an encoder is opened.
    private static let legalRates = 0.01...1000

    /// Whether an encoder may be opened for the rate.
    package var isLegal: Bool { isPositive && Self.legalRates.contains(framesPerSecond) }

    /// The least that an encoder is opened for: one that counts pictures could not be told of many more than so few.
    ///
    /// Libraries count in units of 1000 bit/s: opened for a picture in ten seconds, 60 kbit/s at 30 pictures in a
    /// second were 200 bit/s to them.
    private static let leastOpened = FrameRate(numerator: 1)

    /// The rate that an encoder is opened for where frames come at this one.
    var opened: FrameRate { framesPerSecond < Self.leastOpened.framesPerSecond ? Self.leastOpened : self }

    /// Whether both terms are 1 or more.
    package var isPositive: Bool { numerator > 0 && denominator > 0 }

    /// How long a frame lasts; a thirtieth of a second where the terms are out of range.
    var frameDuration: MediaTime {
        guard isPositive, let timescale = Int32(exactly: numerator) else { return MediaTime(value: 1, timescale: 30) }
        return MediaTime(value: Int64(denominator), timescale: timescale)
    }

    /// Frames per second; 0 unless both terms are 1 or more.
    public var framesPerSecond: Double { isPositive ? Double(numerator) / Double(denominator) : 0 }
}

extension FrameRate: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Makes a whole rate.
    public init(integerLiteral value: Int) { self.init(numerator: value) }

    /// Makes the rate nearest to a decimal number, as ``init(_:)`` does.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension FrameRate: CustomStringConvertible {
    /// The rate as "30" or "30000/1001".
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
