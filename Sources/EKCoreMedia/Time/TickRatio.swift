// SPDX-License-Identifier: MIT

#if os(Linux)
    /// A numeric time as an exact fraction, and how fractions become ticks: pure.
    struct TickRatio {
        let numerator: Int128
        /// Above 0.
        let denominator: Int128

        /// The numerator and denominator without a common divisor.
        var lowestTerms: (Int128, Int128) {
            var (a, b) = (numerator.magnitude, denominator.magnitude)
            while b != 0 { (a, b) = (b, a % b) }
            let divisor = Int128(a)
            return (numerator / divisor, denominator / divisor)
        }

        /// The whole number next to the fraction, and whether it is the fraction itself.
        func rounded(_ method: CMTimeRoundingMethod, from source: CMTimeScale, to target: CMTimeScale) -> (
            value: Int128, isExact: Bool
        ) {
            let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
            if remainder == 0 { return (quotient, true) }
            let away: Int128 = numerator < 0 ? -1 : 1
            let isUp: Bool
            switch method {
            case .roundTowardZero: isUp = false
            case .roundAwayFromZero: isUp = true
            // Finer ticks never shorten a time, coarser never lengthen it; but what is negative stays negative.
            case .quickTime: isUp = target > source || (numerator < 0 && quotient == 0)
            case .roundTowardPositiveInfinity: isUp = numerator > 0
            case .roundTowardNegativeInfinity: isUp = numerator < 0
            case .roundHalfAwayFromZero:
                let part = remainder < 0 ? -remainder : remainder
                isUp = part >= denominator - part
            }
            return (isUp ? quotient + away : quotient, false)
        }

        /// The fraction in ticks, which become twice as long again and again until 64 bits hold their number.
        func time(_ timescale: CMTimeScale, epoch: CMTimeEpoch, wasRounded: Bool) -> CMTime {
            var scale = timescale
            while true {
                let ticks = TickRatio(numerator: numerator * Int128(scale), denominator: denominator)
                let (value, isExact) = ticks.rounded(.roundHalfAwayFromZero, from: timescale, to: scale)
                if let value = Int64(exactly: value) {
                    let flags: CMTimeFlags = isExact && !wasRounded ? .valid : [.valid, .hasBeenRounded]
                    return CMTime(value: value, timescale: scale, flags: flags, epoch: epoch)
                }
                if scale == 1 { return numerator < 0 ? .negativeInfinity : .positiveInfinity }
                scale /= 2
            }
        }
    }

    extension CMTime {
        /// The time as a fraction; nil unless it is numeric with a timescale above 0.
        var ratio: TickRatio? {
            guard isNumeric, timescale > 0 else { return nil }
            return TickRatio(numerator: Int128(value), denominator: Int128(timescale))
        }

        /// The place of its kind among the kinds: -infinity, numbers, indefinite, +infinity, invalid.
        var rank: Int {
            if !isValid { return 4 }
            if isPositiveInfinity { return 3 }
            if isNegativeInfinity { return 0 }
            // A number of ticks without a length is not known.
            return ratio == nil ? 2 : 1
        }
    }
#endif
