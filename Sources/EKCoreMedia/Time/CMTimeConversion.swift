// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    /// Which tick a time between two ticks becomes.
    public enum CMTimeRoundingMethod: UInt32, Sendable {
        /// The nearer; of two equally near the one away from zero.
        case roundHalfAwayFromZero = 1
        /// The one towards zero.
        case roundTowardZero = 2
        /// The one away from zero.
        case roundAwayFromZero = 3
        /// The one towards zero where ticks become coarser, the one away from zero where they become finer.
        ///
        /// A negative time of less than a tick becomes one tick, -1, not 0.
        case quickTime = 4
        /// The later.
        case roundTowardPositiveInfinity = 5
        /// The earlier.
        case roundTowardNegativeInfinity = 6

        /// What is used where nothing is said: ``roundHalfAwayFromZero``.
        public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
    }

    /// The time in ticks of another timescale.
    ///
    /// - Parameters:
    ///   - time: The time; one that is not numeric stays as it is.
    ///   - newTimescale: Ticks per second, 1 or more; with less the result is invalid.
    ///   - method: What a time between two ticks becomes; it has ``CMTimeFlags/hasBeenRounded`` then.
    /// - Returns: The time; an infinite one where 64 bits do not hold it.
    public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod)
        -> CMTime
    {
        guard newTimescale > 0 else { return .invalid }
        guard let ratio = time.ratio else { return time }
        // The same scale needs no product, which 128 bits hold in any case: 64 and 31 bits.
        if newTimescale == time.timescale { return time }
        let ticks = TickRatio(numerator: ratio.numerator * Int128(newTimescale), denominator: ratio.denominator)
        let (value, isExact) = ticks.rounded(method, from: time.timescale, to: newTimescale)
        guard let value = Int64(exactly: value) else { return value < 0 ? .negativeInfinity : .positiveInfinity }
        let flags: CMTimeFlags = isExact && !time.hasBeenRounded ? .valid : [.valid, .hasBeenRounded]
        return CMTime(value: value, timescale: newTimescale, flags: flags, epoch: time.epoch)
    }

    extension CMTime {
        /// The time in ticks of another timescale; see ``CMTimeConvertScale(_:timescale:method:)``.
        public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
            CMTimeConvertScale(self, timescale: newTimescale, method: method)
        }
    }

    extension CMTime: CustomStringConvertible {
        /// "1/30 = 0.033 s", "indefinite" or the like.
        public var description: String {
            switch rank {
            case 0: "-infinity"
            case 1: "\(value)/\(timescale) = \(seconds) s" + (hasBeenRounded ? ", rounded" : "")
            case 2: "indefinite"
            case 3: "+infinity"
            default: "invalid"
            }
        }
    }

    /// The time as a text, as ``CMTime/description`` has it.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - time: The time.
    /// - Returns: A text that the caller owns.
    public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
        time.description as NSString
    }
#endif
