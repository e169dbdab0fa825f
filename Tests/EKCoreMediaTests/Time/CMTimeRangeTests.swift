// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreMedia
    import Testing

    @Suite struct CMTimeRangeTests {
        private func seconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }
        private func range(_ from: Int64, _ to: Int64) -> CMTimeRange {
            CMTimeRangeFromTimeToTime(start: seconds(from), end: seconds(to))
        }

        @Test("a range holds its start and not its end")
        func bounds() {
            let range = range(2, 5)
            #expect(range.duration == seconds(3) && range.end == seconds(5))
            #expect([1, 2, 4, 5].map { range.containsTime(seconds($0)) } == [false, true, true, false])
            #expect(!range.containsTime(.invalid) && !range.containsTime(.positiveInfinity))
        }

        @Test("intersections and unions, of ranges that meet or not")
        func sets() {
            #expect(range(0, 4).intersection(range(2, 6)) == range(2, 4))
            #expect(range(0, 2).intersection(range(2, 6)) == .zero)
            #expect(range(0, 2).union(range(5, 6)) == range(0, 6))
            #expect(range(0, 9).containsTimeRange(range(0, 9)))
            #expect(!range(0, 9).containsTimeRange(range(0, 10)))
            #expect(!CMTimeRange.invalid.intersection(range(0, 1)).isValid)
        }

        @Test("ranges with a negative or invalid duration are invalid, empty ones are not")
        func validity() {
            #expect(!CMTimeRangeMake(start: .zero, duration: seconds(-1)).isValid)
            #expect(!CMTimeRange().isValid && CMTimeRange().end == .invalid)
            #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty)
            #expect(CMTimeRangeMake(start: .zero, duration: .positiveInfinity).end == .positiveInfinity)
            #expect(CMTimeRangeMake(start: .indefinite, duration: .zero).isIndefinite)
        }
    }
#endif
