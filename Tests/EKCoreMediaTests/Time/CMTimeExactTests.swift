// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreMedia
    import Testing
    import TestSupport

    /// Sums, comparisons and conversions against products of 128 bits, without a division.
    @Suite struct CMTimeExactTests {
        private static func random(_ generator: inout SeededGenerator) -> CMTime {
            let bits = Int.random(in: 0...63, using: &generator)
            let value = Int64.random(in: .min ... .max, using: &generator) >> Int64(63 - bits)
            let scales: [Int32] = [1, 24, 30, 90_000, 600, 1001, 48_000, 1_000_000_000, .max, .max - 1]
            let scale =
                Bool.random(using: &generator)
                ? scales[Int.random(in: 0..<scales.count, using: &generator)]
                : Int32.random(in: 1 ... .max, using: &generator)
            return CMTime(value: value, timescale: scale)
        }

        @Test("10,000 random sums and differences are exact, or rounded to the nearest tick and marked")
        func sums() {
            var generator = SeededGenerator()
            for _ in 0..<10_000 {
                let (a, b) = (Self.random(&generator), Self.random(&generator))
                for isSum in [true, false] {
                    let result = isSum ? a + b : a - b
                    guard result.isNumeric else {
                        let double = isSum ? a.seconds + b.seconds : a.seconds - b.seconds
                        #expect(abs(double) >= 9.2e18, "\(a), \(b)")
                        continue
                    }
                    let scales = Int128(a.timescale) * Int128(b.timescale)
                    let second = Int128(b.value) * Int128(a.timescale)
                    let first = Int128(a.value) * Int128(b.timescale)
                    let exact = (isSum ? first + second : first - second) * Int128(result.timescale)
                    let difference = (exact - Int128(result.value) * scales).magnitude
                    #expect((difference != 0) == result.hasBeenRounded, "\(a), \(b), \(result)")
                    #expect(difference <= scales.magnitude - difference, "\(a), \(b), \(result)")
                }
            }
        }

        @Test("10,000 random comparisons agree with cross products, and equal times hash alike")
        func comparisons() {
            var generator = SeededGenerator()
            for _ in 0..<10_000 {
                let (a, b) = (Self.random(&generator), Self.random(&generator))
                let first = Int128(a.value) * Int128(b.timescale)
                let second = Int128(b.value) * Int128(a.timescale)
                #expect((a < b) == (first < second) && (a == b) == (first == second))
                let factor = Int32.random(in: 1...1000, using: &generator)
                let (value, isTooLarge) = a.value.multipliedReportingOverflow(by: Int64(factor))
                let (scale, isTooFine) = a.timescale.multipliedReportingOverflow(by: factor)
                guard !isTooLarge, !isTooFine else { continue }
                let same = CMTime(value: value, timescale: scale)
                #expect(same == a && same.hashValue == a.hashValue)
            }
        }

        @Test("10,000 random conversions lie on the side that the rounding says, less than one tick away")
        func conversions() {
            var generator = SeededGenerator()
            let methods: [CMTimeRoundingMethod] = [
                .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime, .roundTowardPositiveInfinity,
                .roundTowardNegativeInfinity,
            ]
            for count in 0..<10_000 {
                let time = Self.random(&generator)
                let scale = Int32.random(in: 1 ... .max, using: &generator)
                let method = methods[count % methods.count]
                let result = time.convertScale(scale, method: method)
                guard result.isNumeric else { continue }
                let unit = Int128(time.timescale)
                // What the result is too large by, in `unit` parts of a tick.
                let excess = Int128(result.value) * unit - Int128(time.value) * Int128(scale)
                #expect((excess != 0) == result.hasBeenRounded)
                let away = time.value < 0 ? -excess : excess
                switch method {
                case .roundHalfAwayFromZero: #expect(2 * away <= unit && 2 * away > -unit)
                case .roundTowardZero: #expect(away <= 0 && away > -unit)
                case .roundAwayFromZero: #expect(away >= 0 && away < unit)
                case .quickTime:
                    // What is below one tick and negative becomes one, not none.
                    let isOneTick = result.value == -1 && away > 0
                    let isAway = scale > time.timescale || isOneTick
                    #expect(isAway ? away >= 0 && away < unit : away <= 0 && away > -unit)
                    #expect(time.value >= 0 || result.value < 0)
                case .roundTowardPositiveInfinity: #expect(excess >= 0 && excess < unit)
                case .roundTowardNegativeInfinity: #expect(excess <= 0 && excess > -unit)
                }
            }
        }
    }
#endif
