// SPDX-License-Identifier: MIT

#if os(Linux)
    /// Ticks of a ``CMTime``.
    public typealias CMTimeValue = Int64
    /// Ticks per second of a ``CMTime``.
    public typealias CMTimeScale = Int32
    /// Which timeline a ``CMTime`` is of; 0 for durations, and for all times of a timeline that is never begun anew.
    public typealias CMTimeEpoch = Int64

    /// The largest number of ticks per second that sums come out with.
    public let kCMTimeMaxTimescale: Int32 = 0x7fff_ffff

    /// What kind of time a ``CMTime`` is.
    public struct CMTimeFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Takes bits as they are.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// It means something; without this flag it is invalid, whatever else is set.
        public static let valid = CMTimeFlags(rawValue: 1)
        /// It was rounded, or made of one that was.
        public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
        /// It is later than all numbers.
        public static let positiveInfinity = CMTimeFlags(rawValue: 4)
        /// It is earlier than all numbers.
        public static let negativeInfinity = CMTimeFlags(rawValue: 8)
        /// It is not known.
        public static let indefinite = CMTimeFlags(rawValue: 16)
        /// Those that make it other than a number.
        public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
    }

    /// An exact time or duration of `value / timescale` seconds, or one that is infinite, indefinite or invalid.
    ///
    /// A time whose timescale is 0 or less counts as indefinite. Sums, differences and comparisons are exact in 128
    /// bits; what must be rounded has ``CMTimeFlags/hasBeenRounded``.
    public struct CMTime: Sendable {
        /// Number of ticks.
        public var value: CMTimeValue
        /// Ticks per second.
        public var timescale: CMTimeScale
        /// What kind of time it is.
        public var flags: CMTimeFlags
        /// Which timeline it is of.
        public var epoch: CMTimeEpoch

        /// Makes an invalid time: all bits are 0.
        public init() { (value, timescale, flags, epoch) = (0, 0, [], 0) }

        /// Takes all parts as they are.
        public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
            (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
        }

        /// Makes a valid time of epoch 0.
        public init(value: CMTimeValue, timescale: CMTimeScale) {
            self.init(value: value, timescale: timescale, flags: .valid, epoch: 0)
        }

        /// Makes the tick nearest to so many seconds, halves away from zero: an infinite time where 64 bits do not hold
        /// it, an invalid one of not-a-number and of a timescale of 0 or less.
        public init(seconds: Double, preferredTimescale: CMTimeScale) {
            self = CMTime.make(seconds, preferredTimescale)
        }

        /// Means nothing.
        public static let invalid = CMTime()
        /// Is not known.
        public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
        /// Later than all numbers.
        public static let positiveInfinity = CMTime(
            value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
        /// Earlier than all numbers.
        public static let negativeInfinity = CMTime(
            value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
        /// Zero seconds, one tick a second.
        public static let zero = CMTime(value: 0, timescale: 1)
    }

    extension CMTime {
        /// Whether it means something.
        public var isValid: Bool { flags.contains(.valid) }
        /// Whether it is valid and later than all numbers.
        public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
        /// Whether it is valid and earlier than all numbers.
        public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
        /// Whether it is valid and not known.
        public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
        /// Whether it is a number of ticks: valid, neither infinite nor indefinite.
        public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
        /// Whether it was rounded, or made of one that was.
        public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
        /// The time in seconds, rounded to the nearest Double; infinite for an infinite one, not-a-number for one that
        /// is invalid, indefinite or has a timescale of 0.
        public var seconds: Double {
            if isPositiveInfinity { return .infinity }
            if isNegativeInfinity { return -.infinity }
            guard isNumeric, timescale != 0 else { return .nan }
            return Double(value) / Double(timescale)
        }

        static func make(_ seconds: Double, _ timescale: CMTimeScale) -> CMTime {
            guard !seconds.isNaN, timescale > 0 else { return .invalid }
            let ticks = seconds * Double(timescale)
            let rounded = ticks.rounded()
            guard let value = Int64(exactly: rounded) else { return ticks > 0 ? .positiveInfinity : .negativeInfinity }
            let isExact = rounded == ticks
            return CMTime(
                value: value, timescale: timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
        }
    }

    extension CMTime: Comparable, Hashable {
        /// Whether both are the same time, whatever their timescales.
        public static func == (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) == 0 }

        /// Whether `left` comes before `right` in the order of ``CMTimeCompare(_:_:)``.
        public static func < (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) < 0 }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rank)
            guard let ratio else { return }
            hasher.combine(epoch)
            hasher.combine(ratio.lowestTerms.0)
            hasher.combine(ratio.lowestTerms.1)
        }

        /// The sum; see ``CMTimeAdd(_:_:)``.
        public static func + (left: CMTime, right: CMTime) -> CMTime { CMTimeAdd(left, right) }

        /// The difference; see ``CMTimeSubtract(_:_:)``.
        public static func - (left: CMTime, right: CMTime) -> CMTime { CMTimeSubtract(left, right) }
    }

    /// Means nothing.
    public let kCMTimeInvalid = CMTime.invalid
    /// Is not known.
    public let kCMTimeIndefinite = CMTime.indefinite
    /// Later than all numbers.
    public let kCMTimePositiveInfinity = CMTime.positiveInfinity
    /// Earlier than all numbers.
    public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
    /// Zero seconds.
    public let kCMTimeZero = CMTime.zero
#endif
