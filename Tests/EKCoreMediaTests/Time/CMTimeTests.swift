// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreMedia
    import Testing

    @Suite struct CMTimeTests {
        @Test("the kinds come in one order, and each equals itself")
        func order() {
            let kinds: [CMTime] = [
                .negativeInfinity, CMTime(value: .min, timescale: 1), CMTime(value: -1, timescale: 3), .zero,
                CMTime(value: 1, timescale: .max), CMTime(value: .max, timescale: 1),
                CMTimeMakeWithEpoch(value: -5, timescale: 1, epoch: 1), .indefinite, .positiveInfinity, .invalid,
            ]
            for (index, one) in kinds.enumerated() {
                for (place, other) in kinds.enumerated() {
                    let expected: Int32 = index == place ? 0 : (index < place ? -1 : 1)
                    #expect(CMTimeCompare(one, other) == expected, "\(one) and \(other)")
                    #expect((one < other) == (expected < 0))
                    #expect((one == other) == (expected == 0))
                    #expect(CMTimeMinimum(one, other) == kinds[min(index, place)])
                    #expect(CMTimeMaximum(one, other) == kinds[max(index, place)])
                }
            }
        }

        @Test("predicates say of each kind what it is")
        func kinds() {
            #expect(!CMTime().isValid && !CMTime().isNumeric && !CMTime.invalid.isIndefinite)
            #expect(CMTime.zero.isNumeric && CMTime.zero.isValid && !CMTime.zero.hasBeenRounded)
            #expect(CMTime.indefinite.isValid && CMTime.indefinite.isIndefinite && !CMTime.indefinite.isNumeric)
            #expect(CMTime.positiveInfinity.isPositiveInfinity && !CMTime.positiveInfinity.isNumeric)
            #expect(CMTime.negativeInfinity.isNegativeInfinity)
            let withoutFlag = CMTime(value: 1, timescale: 1, flags: .positiveInfinity, epoch: 0)
            #expect(!withoutFlag.isPositiveInfinity && withoutFlag == .invalid)
        }

        @Test("sums and differences of the kinds")
        func kindsCombined() {
            let one = CMTime(value: 1, timescale: 1)
            let rows: [(CMTime, CMTime, CMTime, CMTime)] = [
                (.invalid, one, .invalid, .invalid), (.indefinite, .invalid, .invalid, .invalid),
                (one, .indefinite, .indefinite, .indefinite),
                (.positiveInfinity, .indefinite, .positiveInfinity, .positiveInfinity),
                (.positiveInfinity, .positiveInfinity, .positiveInfinity, .indefinite),
                (.positiveInfinity, .negativeInfinity, .indefinite, .positiveInfinity),
                (.negativeInfinity, .negativeInfinity, .negativeInfinity, .indefinite),
                (one, .positiveInfinity, .positiveInfinity, .negativeInfinity),
                (one, .negativeInfinity, .negativeInfinity, .positiveInfinity),
                (CMTime(value: 1, timescale: 0), one, .indefinite, .indefinite),
            ]
            for (left, right, sum, difference) in rows {
                #expect(left + right == sum, "\(left) + \(right)")
                #expect(left - right == difference, "\(left) - \(right)")
            }
        }

        @Test("epochs: a duration may be added to any, two others have no sum, equal ones a duration between them")
        func epochs() {
            func time(_ value: Int64, _ epoch: Int64) -> CMTime {
                CMTimeMakeWithEpoch(value: value, timescale: 10, epoch: epoch)
            }
            #expect(CMTimeAdd(time(5, 2), time(1, 0)).epoch == 2)
            #expect(CMTimeAdd(time(5, 0), time(1, 3)).epoch == 3)
            #expect(CMTimeAdd(time(5, 1), time(1, 2)) == .invalid)
            #expect(CMTimeSubtract(time(5, 2), time(1, 0)).epoch == 2)
            #expect(CMTimeSubtract(time(5, 2), time(1, 2)) == time(4, 0))
            #expect(CMTimeSubtract(time(5, 2), time(1, 1)) == .invalid)
            #expect(time(9, 1) < time(-9, 2))
        }

        @Test("what 64 bits do not hold is halved in timescale, then infinite")
        func overflow() {
            let large = CMTime(value: .max, timescale: 4)
            let sum = large + large
            #expect((sum.value, sum.timescale) == (.max, 2))
            #expect(!sum.hasBeenRounded)
            let odd = CMTime(value: .max, timescale: 2) + CMTime(value: .max, timescale: 2)
            #expect((odd.value, odd.timescale) == (.max, 1))
            #expect(CMTime(value: .max, timescale: 1) + CMTime(value: .max, timescale: 1) == .positiveInfinity)
            #expect(CMTime(value: .min, timescale: 1) - CMTime(value: 1, timescale: 1) == .negativeInfinity)
            #expect(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: -2) == .negativeInfinity)
        }

        @Test("a least common timescale above 31 bits is the largest, and the sum is marked as rounded")
        func largestTimescale() {
            let sum = CMTime(value: 1, timescale: .max) + CMTime(value: 1, timescale: .max - 1)
            #expect(sum.timescale == kCMTimeMaxTimescale)
            #expect((sum.value, sum.hasBeenRounded) == (2, true))
            #expect((sum + .zero).hasBeenRounded)
        }

        @Test("the six roundings of positive and negative times between two ticks")
        func roundings() {
            // 1.5, 1.25, 1.75 and their opposites in ticks of one second, from ticks of a quarter.
            let methods: [CMTimeRoundingMethod] = [
                .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime, .roundTowardPositiveInfinity,
                .roundTowardNegativeInfinity,
            ]
            let rows: [(Int64, [Int64])] = [
                (6, [2, 1, 2, 1, 2, 1]), (5, [1, 1, 2, 1, 2, 1]), (7, [2, 1, 2, 1, 2, 1]),
                (-6, [-2, -1, -2, -1, -1, -2]), (-5, [-1, -1, -2, -1, -1, -2]), (-7, [-2, -1, -2, -1, -1, -2]),
                (8, [2, 2, 2, 2, 2, 2]), (0, [0, 0, 0, 0, 0, 0]),
            ]
            for (quarters, expected) in rows {
                for (method, value) in zip(methods, expected) {
                    let time = CMTime(value: quarters, timescale: 4).convertScale(1, method: method)
                    #expect(time.value == value, "\(quarters) quarters, \(method)")
                    #expect(time.hasBeenRounded == (quarters % 4 != 0))
                }
            }
            // A third of a second in ticks of a quarter: finer ticks, QuickTime's rounding goes away from zero.
            #expect(CMTime(value: 1, timescale: 3).convertScale(4, method: .quickTime).value == 2)
            #expect(CMTime(value: -1, timescale: 3).convertScale(4, method: .quickTime).value == -2)
            // Of a negative time shorter than a tick QuickTime's rounding leaves one tick, of a positive none.
            for (value, ticks): (Int64, Int64) in [
                (-1, -1), (-19, -1), (-20, -1), (-21, -1), (-39, -1), (-41, -2), (0, 0), (1, 0), (19, 0), (21, 1),
            ] {
                let time = CMTime(value: value, timescale: 600).convertScale(30, method: .quickTime)
                #expect((time.value, time.hasBeenRounded) == (ticks, value % 20 != 0), "\(value)")
            }
            #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
        }

        @Test("conversions of what is not numeric, and to no timescale")
        func conversions() {
            for time in [CMTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
                #expect(time.convertScale(600, method: .default) == time)
            }
            #expect(CMTime.zero.convertScale(0, method: .default) == .invalid)
            #expect(CMTime.zero.convertScale(-600, method: .default) == .invalid)
            #expect(CMTime(value: .max, timescale: 1).convertScale(2, method: .default) == .positiveInfinity)
        }

        @Test("seconds become the nearest tick, and say whether it is exact")
        func seconds() {
            let rows: [(Double, Int32, Int64, Bool)] = [
                (0.5, 600, 300, false), (1.0 / 3, 600, 200, false), (0.0004, 1000, 0, true), (-0.5, 1, -1, true),
                (0.5, 1, 1, true),
            ]
            for (seconds, timescale, value, isRounded) in rows {
                let time = CMTimeMakeWithSeconds(seconds, preferredTimescale: timescale)
                #expect(
                    (time.value, time.timescale, time.hasBeenRounded) == (value, timescale, isRounded), "\(seconds)")
            }
            #expect(CMTime(seconds: .nan, preferredTimescale: 1) == .invalid)
            #expect(CMTime(seconds: 1, preferredTimescale: 0) == .invalid)
            #expect(CMTime(seconds: .infinity, preferredTimescale: 1) == .positiveInfinity)
            #expect(CMTime(seconds: -1e300, preferredTimescale: 1) == .negativeInfinity)
            #expect(CMTimeGetSeconds(.positiveInfinity) == .infinity)
            #expect(CMTimeGetSeconds(.invalid).isNaN && CMTimeGetSeconds(.indefinite).isNaN)
            #expect(CMTimeGetSeconds(CMTime(value: 3, timescale: 2)) == 1.5)
        }

        @Test("products")
        func products() {
            let time = CMTime(value: 3, timescale: 10)
            #expect(CMTimeMultiply(time, multiplier: -2) == CMTime(value: -6, timescale: 10))
            let third = CMTimeMultiplyByRatio(time, multiplier: 1, divisor: 4)
            #expect((third.value, third.timescale, third.hasBeenRounded) == (1, 10, true))
            #expect(CMTimeMultiplyByRatio(time, multiplier: 1, divisor: 0) == .positiveInfinity)
            #expect(CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0) == .indefinite)
            #expect(CMTimeMultiplyByFloat64(time, multiplier: 2) == CMTime(value: 6, timescale: 10))
            #expect(CMTimeMultiplyByFloat64(time, multiplier: .nan) == .invalid)
            #expect(abs(CMTimeMultiplyByFloat64(time, multiplier: 1.0 / 3).seconds - 0.1) < 1e-9)
            #expect(CMTimeAbsoluteValue(CMTime(value: -6, timescale: 10)) == CMTime(value: 6, timescale: 10))
            #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
        }

        @Test("the host's clock goes on, and its units are nanoseconds")
        func clock() {
            let (first, second) = (CMClockGetTime(CMClockGetHostTimeClock()), CMClock.hostTimeClock.time)
            #expect(first <= second && first.isNumeric)
            let units = CMClockConvertHostTimeToSystemUnits(first)
            #expect(CMClockMakeHostTimeFromSystemUnits(units) == first)
            #expect(CMClockConvertHostTimeToSystemUnits(.invalid) == 0)
        }
    }
#endif
