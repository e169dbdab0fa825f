// SPDX-License-Identifier: MIT

#if os(Linux)
    /// Makes a valid time of epoch 0.
    public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

    /// Makes a valid time.
    public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
        CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
    }

    /// Makes the tick nearest to so many seconds; see ``CMTime/init(seconds:preferredTimescale:)``.
    public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
    }

    /// The time in seconds; see ``CMTime/seconds``.
    public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

    /// The sum, exact where 64 bits hold it in ticks of the least common timescale.
    ///
    /// A least common timescale above ``kCMTimeMaxTimescale`` is replaced by that, and one in which 64 bits do not hold
    /// the sum by its half, again and again; where one tick a second is not enough, the sum is infinite. An invalid
    /// operand makes it invalid, an infinite one infinite, both infinities indefinite. Times of two epochs other than 0
    /// have no sum: it is invalid.
    public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
        guard let sum = combined(lhs, rhs, isSum: true) else {
            let epoch = lhs.epoch == 0 ? rhs.epoch : lhs.epoch
            guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
            return exact(lhs, rhs, isSum: true, epoch: epoch)
        }
        return sum
    }

    /// The difference, with the rules of ``CMTimeAdd(_:_:)``; of two times of one epoch a duration of epoch 0.
    public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
        guard let difference = combined(lhs, rhs, isSum: false) else {
            guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
            let epoch = lhs.epoch == rhs.epoch ? 0 : (lhs.epoch == 0 ? rhs.epoch : lhs.epoch)
            return exact(lhs, rhs, isSum: false, epoch: epoch)
        }
        return difference
    }

    /// The sum or difference where a kind decides it; nil of two numbers.
    private func combined(_ lhs: CMTime, _ rhs: CMTime, isSum: Bool) -> CMTime? {
        guard lhs.isValid, rhs.isValid else { return .invalid }
        let left = (lhs.isPositiveInfinity, lhs.isNegativeInfinity)
        let right =
            isSum ? (rhs.isPositiveInfinity, rhs.isNegativeInfinity) : (rhs.isNegativeInfinity, rhs.isPositiveInfinity)
        if left.0 && right.1 || left.1 && right.0 { return .indefinite }
        if left.0 || right.0 { return .positiveInfinity }
        if left.1 || right.1 { return .negativeInfinity }
        return lhs.ratio == nil || rhs.ratio == nil ? .indefinite : nil
    }

    private func exact(_ lhs: CMTime, _ rhs: CMTime, isSum: Bool, epoch: CMTimeEpoch) -> CMTime {
        let (left, right) = (Int64(lhs.timescale), Int64(rhs.timescale))
        var (a, b) = (left, right)
        while b != 0 { (a, b) = (b, a % b) }
        let multiple = left / a * right
        // 95 bits at most, the value's 64 and the other timescale's 31.
        let first = Int128(lhs.value) * Int128(right / a)
        let second = Int128(rhs.value) * Int128(left / a)
        let sum = TickRatio(numerator: isSum ? first + second : first - second, denominator: Int128(multiple))
        return reduced(sum).time(
            CMTimeScale(clamping: multiple), epoch: epoch, wasRounded: lhs.hasBeenRounded || rhs.hasBeenRounded)
    }

    /// The fraction in lowest terms, so that its product with 31 bits fits 128.
    private func reduced(_ ratio: TickRatio) -> TickRatio {
        let (numerator, denominator) = ratio.lowestTerms
        return TickRatio(numerator: numerator, denominator: denominator)
    }

    /// The time so many times, in its timescale or, where 64 bits do not hold it, a half of that, again and again.
    public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
        CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: 1)
    }

    /// The time times `multiplier / divisor`, rounded to the nearest tick, halves away from zero.
    ///
    /// A divisor of 0 makes an infinite time, and an indefinite one of zero.
    public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
        guard time.isValid else { return .invalid }
        let isNegative = (multiplier < 0) != (divisor < 0)
        guard let ratio = time.ratio else {
            if time.isIndefinite || time.isNumeric || multiplier == 0 { return .indefinite }
            return time.isPositiveInfinity == isNegative ? .negativeInfinity : .positiveInfinity
        }
        guard divisor != 0 else {
            if time.value == 0 || multiplier == 0 { return .indefinite }
            return (time.value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity
        }
        let sign: Int128 = divisor < 0 ? -1 : 1
        let product = TickRatio(
            numerator: ratio.numerator * Int128(multiplier) * sign,
            denominator: ratio.denominator * Int128(divisor) * sign)
        var result = reduced(product).time(time.timescale, epoch: time.epoch, wasRounded: time.hasBeenRounded)
        if !result.isNumeric { result.epoch = 0 }
        return result
    }

    /// The time times a Double: in its timescale where that is exact, else rounded to the nearest tick of the timescale
    /// doubled until it is 1,000,000,000 or more.
    ///
    /// Not-a-number makes an invalid time.
    public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
        guard time.isValid, !multiplier.isNaN else { return .invalid }
        guard time.ratio != nil else {
            if time.isIndefinite || time.isNumeric || multiplier == 0 { return .indefinite }
            return time.isPositiveInfinity == (multiplier < 0) ? .negativeInfinity : .positiveInfinity
        }
        if multiplier.isInfinite && time.value == 0 { return .indefinite }
        var scale = time.timescale
        // Ticks of a nanosecond or finer lose less than a Double does.
        while scale < 1_000_000_000 { scale *= 2 }
        var result = CMTime.make(time.seconds * multiplier, scale)
        if let exact = Double(exactly: time.value).map({ $0 * multiplier }), let value = Int64(exactly: exact) {
            result = CMTime(value: value, timescale: time.timescale)
        }
        guard result.isNumeric else { return result }
        result.epoch = time.epoch
        if time.hasBeenRounded { result.flags.insert(.hasBeenRounded) }
        return result
    }

    /// Compares two times: -1 where the first comes before the second, 0 where they are equal, 1 otherwise.
    ///
    /// -infinity comes before all numbers, then indefinite, +infinity and invalid; each of these four equals itself. Of
    /// numbers of two epochs the smaller epoch's comes first. A timescale of 0 or less counts as indefinite.
    public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
        guard let first = time1.ratio, let second = time2.ratio else { return order(time1.rank, time2.rank) }
        guard time1.epoch == time2.epoch else { return order(time1.epoch, time2.epoch) }
        return order(first.numerator * second.denominator, second.numerator * first.denominator)
    }

    private func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int32 {
        first == second ? 0 : (first < second ? -1 : 1)
    }

    /// The earlier of two times, in the order of ``CMTimeCompare(_:_:)``.
    public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
        CMTimeCompare(time1, time2) <= 0 ? time1 : time2
    }

    /// The later of two times, in the order of ``CMTimeCompare(_:_:)``.
    public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
        CMTimeCompare(time1, time2) >= 0 ? time1 : time2
    }

    /// The time without its sign; -infinity becomes +infinity.
    public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
        if time.isNegativeInfinity { return .positiveInfinity }
        guard time.isNumeric, time.value < 0 else { return time }
        return CMTimeMultiply(time, multiplier: -1)
    }
#endif
