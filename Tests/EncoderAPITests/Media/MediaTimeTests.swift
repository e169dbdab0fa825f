// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@Suite struct MediaTimeTests {
    @Test("times compare by time, and equal ones hash alike")
    func comparing() {
        let (half, other) = (MediaTime(value: 1, timescale: 2), MediaTime(value: 15, timescale: 30))
        #expect(half == other && half.hashValue == other.hashValue)
        #expect(half < MediaTime(value: 16, timescale: 30) && half > MediaTime(value: -1, timescale: 1))
        #expect(MediaTime(value: .max, timescale: 1) > MediaTime(value: .max, timescale: 2))
        #expect(MediaTime(value: .min, timescale: 3) < MediaTime(value: .min, timescale: 4))
        #expect(MediaTime(value: .min, timescale: 7).hashValue == MediaTime(value: .min, timescale: 7).hashValue)
    }

    @Test("sums and differences are exact in a common timescale")
    func arithmetic() {
        let sum = MediaTime(value: 1, timescale: 30) + MediaTime(value: 1, timescale: 1001)
        #expect(sum.value == 1031 && sum.timescale == 30030)
        let difference = MediaTime(value: 1, timescale: 600) - MediaTime(value: 1, timescale: 90000)
        #expect(difference.value == 149 && difference.timescale == 90000)
        #expect((MediaTime(value: .max, timescale: 1) + MediaTime(value: 1, timescale: 1)).value == .max)
    }

    @Test("sums are the same whether or not their terms fit 64 bits, and clamped where they do not")
    func largeTerms() {
        let large = Int64.max / 2
        for (left, right) in [(large, large), (-large, -large), (.max, .max), (.min, .min), (.min, .max)] {
            let (first, second) = (
                MediaTime(value: left, timescale: 30_000), MediaTime(value: right, timescale: 48_000)
            )
            let sum = Int128(left) * 8 + Int128(right) * 5
            #expect((first + second).value == Int64(clamping: sum) && (first + second).timescale == 240_000)
            let difference = Int128(left) * 8 - Int128(right) * 5
            #expect((first - second).value == Int64(clamping: difference))
            let same = MediaTime(value: right, timescale: 30_000)
            #expect((first + same).value == Int64(clamping: Int128(left) + Int128(right)))
            #expect((first - same).value == Int64(clamping: Int128(left) - Int128(right)))
        }
    }

    @Test("ticks of another timescale are rounded down", arguments: [(1, 3, 10, 3), (-1, 3, 10, -4), (7, 7, 1, 1)])
    func ticks(value: Int64, timescale: Int32, other: Int32, expected: Int64) {
        #expect(MediaTime(value: value, timescale: timescale).ticks(timescale: other) == expected)
    }

    @Test("seconds that no tick can hold are clamped")
    func seconds() {
        #expect(MediaTime(seconds: 1.5, preferredTimescale: 600).value == 900)
        #expect(MediaTime(seconds: .infinity, preferredTimescale: 600).value == .max)
        #expect(MediaTime(seconds: -1e300, preferredTimescale: 600).value == .min)
        #expect(MediaTime(seconds: .nan, preferredTimescale: 600).value == 0)
    }
}

@Suite struct FrameRateTests {
    @Test(
        "decimal rates are taken as what they are short for",
        arguments: [
            (29.97, 30000, 1001), (59.94, 60000, 1001), (23.976, 24000, 1001), (23.98, 24000, 1001), (25, 25, 1),
            (12.5, 12500, 1000), (0, 0, 1), (-5, -5, 1), (.nan, -1, 1), (.infinity, -1, 1),
        ] as [(Double, Int, Int)])
    func decimal(rate: Double, numerator: Int, denominator: Int) {
        #expect(FrameRate(rate) == FrameRate(numerator: numerator, denominator: denominator))
    }
}
