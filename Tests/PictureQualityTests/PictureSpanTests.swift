// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import PictureQuality

@Suite struct PictureSpanTests {
    /// Pictures at times in ticks, each until the next, the last as long as the first.
    private func span(_ times: [Int64], timescale: Int32, duration: Int64?) -> PictureSpan {
        var span = PictureSpan()
        for time in times {
            span.add(
                MediaTime(value: time, timescale: timescale),
                duration: duration.map { MediaTime(value: $0, timescale: timescale) })
        }
        return span
    }

    private let rounded = (0..<24).map { Int64((Double($0) * 1000 / 24).rounded()) }

    @Test("times that are rounded to milliseconds last as long as the rate says", arguments: [41, 42, nil])
    func milliseconds(duration: Int64?) {
        let span = span(rounded, timescale: 1000, duration: duration)
        #expect(span.seconds(statedRate: 24) == 1)
        #expect(abs(span.seconds(statedRate: nil) - 1) <= 0.0011)
    }

    @Test("pictures may come in any order, and the first need not be at 0")
    func order() {
        let times = rounded.map { $0 + 12_345 }
        #expect(span(times.reversed(), timescale: 1000, duration: 42).seconds(statedRate: 24) == 1)
        #expect(span(times, timescale: 1000, duration: 42).seconds(statedRate: 24) == 1)
    }

    @Test("a length that the rate does not explain stays as the times have it")
    func varying() {
        for (span, rate, seconds) in [
            (span([0, 42, 83, 500], timescale: 1000, duration: 42), 24, 0.542),
            (span(rounded, timescale: 1000, duration: 42), 25, 1),
            (span(rounded, timescale: 1000, duration: 45), 24, 1.003),
            // One picture is missing, in ticks of a picture's time.
            (span([0, 1, 3], timescale: 25, duration: 1), 25, 0.16),
        ] as [(PictureSpan, Int, Double)] {
            #expect(abs(span.seconds(statedRate: FrameRate(numerator: rate)) - seconds) < 1e-12)
        }
    }

    @Test("one picture lasts as long as its duration says, and nothing lasts no time")
    func few() {
        #expect(PictureSpan().seconds(statedRate: 24) == 0)
        #expect(span([0], timescale: 25, duration: 2).seconds(statedRate: nil) == 0.08)
        #expect(span([5], timescale: 1000, duration: 42).seconds(statedRate: 24) == 1.0 / 24)
        #expect(span([5], timescale: 1000, duration: nil).seconds(statedRate: nil) == 0)
    }
}
