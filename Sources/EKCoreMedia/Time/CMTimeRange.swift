// SPDX-License-Identifier: MIT

#if os(Linux)
    /// A part of a timeline: from `start` on, and before `end`.
    public struct CMTimeRange: Sendable {
        /// When it begins.
        public var start: CMTime
        /// How long it is; a negative one makes the range invalid.
        public var duration: CMTime

        /// Makes an invalid range.
        public init() { (start, duration) = (.invalid, .invalid) }

        /// Makes a range of a duration.
        public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

        /// Makes a range up to an end, which is not in it.
        public init(start: CMTime, end: CMTime) { self.init(start: start, duration: CMTimeSubtract(end, start)) }

        /// Means nothing.
        public static let invalid = CMTimeRange()
        /// Holds nothing, at zero.
        public static let zero = CMTimeRange(start: .zero, duration: .zero)

        /// Whether both times are valid, the duration is of epoch 0 and not negative.
        public var isValid: Bool {
            start.isValid && duration.isValid && duration.epoch == 0 && CMTimeCompare(duration, .zero) >= 0
        }
        /// Whether it is valid, and one of its times is not known.
        public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
        /// Whether it is valid, and holds nothing.
        public var isEmpty: Bool { isValid && CMTimeCompare(duration, .zero) == 0 }
        /// When it ends; invalid for a range that is.
        public var end: CMTime { isValid ? CMTimeAdd(start, duration) : .invalid }

        /// Whether a numeric time is in the range: at its start or after it, and before its end.
        public func containsTime(_ time: CMTime) -> Bool {
            isValid && time.isNumeric && CMTimeCompare(time, start) >= 0 && CMTimeCompare(time, end) < 0
        }

        /// Whether all of another range is in this one; none is in an invalid range, and no invalid one is in any.
        public func containsTimeRange(_ range: CMTimeRange) -> Bool {
            isValid && range.isValid && CMTimeCompare(range.start, start) >= 0 && CMTimeCompare(range.end, end) <= 0
        }

        /// What is in both ranges; the range zero where nothing is, the invalid one where one of them is invalid.
        public func intersection(_ other: CMTimeRange) -> CMTimeRange {
            guard isValid, other.isValid else { return .invalid }
            let from = CMTimeMaximum(start, other.start)
            let to = CMTimeMinimum(end, other.end)
            return CMTimeCompare(from, to) < 0 ? CMTimeRange(start: from, end: to) : .zero
        }

        /// From the earlier start to the later end; the invalid range where one of them is invalid.
        public func union(_ other: CMTimeRange) -> CMTimeRange {
            guard isValid, other.isValid else { return .invalid }
            return CMTimeRange(start: CMTimeMinimum(start, other.start), end: CMTimeMaximum(end, other.end))
        }
    }

    extension CMTimeRange: Equatable {
        /// Whether both begin at the same time and last as long.
        public static func == (left: CMTimeRange, right: CMTimeRange) -> Bool {
            left.start == right.start && left.duration == right.duration
        }
    }

    /// Means nothing.
    public let kCMTimeRangeInvalid = CMTimeRange.invalid
    /// Holds nothing, at zero.
    public let kCMTimeRangeZero = CMTimeRange.zero

    /// Makes a range of a duration.
    public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
        CMTimeRange(start: start, duration: duration)
    }

    /// Makes a range up to an end, which is not in it.
    public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
        CMTimeRange(start: start, end: end)
    }

    /// When a range ends; see ``CMTimeRange/end``.
    public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

    /// Whether a time is in a range; see ``CMTimeRange/containsTime(_:)``.
    public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

    /// Whether two ranges are equal.
    public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

    /// What is in both ranges; see ``CMTimeRange/intersection(_:)``.
    public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
        range.intersection(otherRange)
    }

    /// From the earlier start to the later end; see ``CMTimeRange/union(_:)``.
    public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
        range.union(otherRange)
    }
#endif
