// SPDX-License-Identifier: MIT

import CommandOptions
import Testing

@testable import EncoderBench

/// Expected values are those of PyPI bjontegaard 1.3.0, for points sorted by rate:
/// `bd_rate(ra, qa, rt, qt, method, require_matching_points=False, min_overlap=0)` and `bd_psnr(...)` alike.
@Suite struct BjontegaardDeltaTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var anchor: [RatePoint]
        var test: [RatePoint]
        var method: PiecewiseCubic.Method
        var ratePercent: Double
        var quality: Double
        var testDescription: String { "\(name), \(method)" }
    }

    private static func curve(_ rates: [Double], _ qualities: [Double]) -> [RatePoint] {
        zip(rates, qualities).map { RatePoint(bitsPerSecond: $0, quality: $1) }
    }

    private static let four = (
        curve([9487.76, 4593.60, 2486.44, 1358.24], [40.037, 38.615, 36.845, 34.851]),
        curve([9787.80, 4469.00, 2451.52, 1356.24], [40.121, 38.651, 36.970, 34.987])
    )
    private static let five = (
        curve([594125, 420000, 301500, 214000, 150300], [47.579, 45.2, 43.05, 40.6, 38.1]),
        curve([480100, 350000, 244000, 161500, 109000], [47.1, 44.9, 42.6, 40.0, 37.2])
    )
    private static let sixAndFive = (
        curve([1000, 2000, 4000, 8000, 16000, 30000], [30, 33.5, 36, 38.2, 40.1, 41.7]),
        curve([900, 1500, 3100, 7000, 14500], [31, 33.6, 36.9, 39, 41])
    )

    private static func rows(
        _ name: String, _ curves: ([RatePoint], [RatePoint]),
        _ values: [(PiecewiseCubic.Method, Double, Double, Double)]
    ) -> [Row] {
        values.flatMap { method, forward, backward, quality in
            [
                Row(
                    name: name, anchor: curves.0, test: curves.1, method: method, ratePercent: forward,
                    quality: quality),
                Row(
                    name: name + " reversed", anchor: curves.1, test: curves.0, method: method, ratePercent: backward,
                    quality: -quality),
            ]
        }
    }

    static let rows =
        rows(
            "four points", four,
            [
                (.pchip, -4.4174853506, 4.6216458803, 0.1196927854),
                (.akima, -4.4252451570, 4.6301402125, 0.1194092703),
                (.cubic, -4.4204627060, 4.6249049024, 0.1204094191),
            ])
        + rows(
            "five points", five,
            [
                (.pchip, -14.9571546770, 17.5877872150, 1.0699972875),
                (.akima, -14.9624999935, 17.5951785886, 1.0672747844),
                (.cubic, -14.8646936423, 17.4600812263, 1.0623179833),
            ])
        + rows(
            "six and five points", sixAndFive,
            [
                (.pchip, -32.9056399568, 49.0438241540, 1.4216123034),
                (.akima, -32.9536110043, 49.1504635788, 1.4212950625),
                (.cubic, -33.3257288347, 49.9828918295, 1.4436208213),
            ])

    @Test("rate and quality agree with the reference to a millionth", arguments: rows)
    func reference(row: Row) throws {
        let delta = try BjontegaardDelta(anchor: row.anchor, test: row.test)
        #expect(abs(delta.rate(row.method) * 100 - row.ratePercent) < 1e-6)
        let quality = try #require(delta.quality(row.method))
        #expect(abs(quality - row.quality) < 1e-6)
    }

    @Test("a curve against itself shows no difference, and against one of half the rate -50 %")
    func known() throws {
        let (anchor, _) = Self.five
        #expect(try abs(BjontegaardDelta(anchor: anchor, test: anchor).rate()) < 1e-12)
        let half = anchor.map { RatePoint(bitsPerSecond: $0.bitsPerSecond / 2, quality: $0.quality) }
        #expect(try abs(BjontegaardDelta(anchor: anchor, test: half).rate() + 0.5) < 1e-12)
    }

    @Test("the overlap is named with its share of both curves")
    func overlap() throws {
        let delta = try BjontegaardDelta(anchor: Self.five.0, test: Self.five.1)
        #expect(delta.overlap == 38.1...47.1)
        #expect(abs(delta.anchorShare - 9.0 / 9.479) < 1e-12)
        #expect(abs(delta.testShare - 9.0 / 9.9) < 1e-12)
    }

    @Test("the halves surround the whole, and so does leaving one point out")
    func spread() throws {
        let delta = try BjontegaardDelta(anchor: Self.five.0, test: Self.five.1)
        let halves = delta.halves()
        #expect(min(halves.lower, halves.upper) < delta.rate() && delta.rate() < max(halves.lower, halves.upper))
        let spread = try #require(delta.leaveOneOut())
        #expect(spread.lowerBound < delta.rate() && delta.rate() < spread.upperBound)
        #expect(try BjontegaardDelta(anchor: Self.four.0, test: Self.four.1).leaveOneOut() == nil)
    }

    @Test("too few points, too little overlap and curves that do not rise are refused in words")
    func refusals() {
        let good = Self.five.0
        let rows: [([RatePoint], String)] = [
            (Array(good.dropLast(2)), "the other curve has 3 points, expected 4 or more"),
            (good.map { .init(bitsPerSecond: $0.bitsPerSecond, quality: $0.quality + 6) }, "36 % and 36 %"),
            // 49.9 % must not look like the 50 % that are enough.
            (good.map { .init(bitsPerSecond: $0.bitsPerSecond, quality: $0.quality + 4.75) }, "49 % and 49 %"),
            (good.map { .init(bitsPerSecond: $0.bitsPerSecond, quality: $0.quality + 60) }, "0 %"),
            (good.map { .init(bitsPerSecond: $0.bitsPerSecond, quality: -$0.quality) }, "does not rise"),
            (good.map { .init(bitsPerSecond: 0, quality: $0.quality) }, "expected more than 0"),
            (good.map { .init(bitsPerSecond: $0.bitsPerSecond, quality: .nan) }, "the other curve"),
            (good + good, "does not rise"),
        ]
        for (test, part) in rows {
            let error = #expect(throws: EncoderBenchError.self) { try BjontegaardDelta(anchor: good, test: test) }
            #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        }
    }
}
