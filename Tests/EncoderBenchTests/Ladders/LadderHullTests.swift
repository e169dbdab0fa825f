// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct LadderHullTests {
    private static let score = "psnr_y_db"

    /// An encode of so many kbit/s.
    private static func point(
        _ variant: String, _ width: Int, _ kilobits: Double, _ quality: Double?
    ) -> LadderPoint {
        LadderPoint(
            variant: variant, codec: variant == "x264" ? "h264" : "hevc", width: width, height: width / 2,
            rate: "crf \(kilobits)", bytes: Int(kilobits * 125), bitsPerSecond: kilobits * 1000,
            scores: [score: quality])
    }

    /// Two sizes whose curves, straight over the logarithm, cross at 400 kbit/s: the small one rises by 2 dB a
    /// doubling, the large one by 4.
    private static func two(_ variant: String, share: Double = 1) -> [LadderPoint] {
        let rates = [100.0, 200, 800, 1600]
        return rates.map { point(variant, 320, $0 * share, 36 + 2 * log2($0 / 400)) }
            + rates.map { point(variant, 640, $0 * share, 36 + 4 * log2($0 / 400)) }
    }

    private func hull(_ points: [LadderPoint], of variant: String? = "x264", step: Double = 1.5) -> LadderHull {
        LadderHull(of: variant, points, score: Self.score, step: step)
    }

    @Test("a small size is sent up to where the curves cross, and the large one from there")
    func switching() throws {
        let hull = hull(Self.two("x264"))
        #expect(hull.choices.map(\.width) == [320, 640])
        #expect(hull.choices[0].from == 100_000 && hull.choices[1].to == 1_600_000)
        #expect(abs(hull.choices[0].to / 400_000 - 1) < 1e-9 && hull.choices[1].from == hull.choices[0].to)
        #expect(hull.choice(at: 399_000)?.width == 320 && hull.choice(at: 401_000)?.width == 640)
        #expect(hull.choice(at: 99_000) == nil && hull.choice(at: 1_700_000) == nil)
    }

    @Test("rungs are encodes of the front, the best among them, each at least a step above the one below")
    func rungs() {
        var random = SeededGenerator()
        for _ in 0..<300 {
            let points = Self.random(&random)
            let step = Double.random(in: LadderHull.steps, using: &random)
            let hull = hull(points, of: nil, step: step)
            let rates = hull.rungs.map { points[$0].bitsPerSecond }
            #expect(hull.rungs.last == hull.front.last && hull.rungs.allSatisfy(hull.front.contains))
            #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 * step <= $1 })
        }
        #expect(hull(Self.two("x264"), step: 1).rungs == hull(Self.two("x264")).front)
    }

    @Test("choices follow each other without a gap, and each encode of the front is within that of its size")
    func choices() {
        var random = SeededGenerator()
        for _ in 0..<300 {
            let points = Self.random(&random)
            let hull = hull(points, of: nil)
            #expect(zip(hull.choices, hull.choices.dropFirst()).allSatisfy { $0.to == $1.from })
            #expect(hull.choices.allSatisfy { $0.from <= $0.to })
            let steps = zip(hull.choices, hull.choices.dropFirst())
            #expect(steps.allSatisfy { $0.variant != $1.variant || $0.size != $1.size })
            for corner in hull.front {
                let point = points[corner]
                #expect(
                    hull.choices.contains {
                        $0.variant == point.variant && $0.size == point.size && $0.from <= point.bitsPerSecond
                            && point.bitsPerSecond <= $0.to
                    })
            }
        }
    }

    @Test("the order of encodes changes nothing")
    func order() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let points = Self.random(&random)
            let shuffled = points.shuffled(using: &random)
            let (first, second) = (hull(points, of: nil), hull(shuffled, of: nil))
            #expect(first.corners.map { points[$0] } == second.corners.map { shuffled[$0] })
            #expect(first.front.map { points[$0] } == second.front.map { shuffled[$0] })
            #expect(first.choices == second.choices)
            #expect(first.rungs.map { points[$0] } == second.rungs.map { shuffled[$0] })
        }
    }

    /// Encodes of two curves in three sizes, with noise.
    private static func random(_ random: inout SeededGenerator) -> [LadderPoint] {
        ["x264", "x265"].flatMap { variant in
            [160, 320, 640].flatMap { width in
                (0..<4).map { _ in
                    let rate = Double.random(in: 50...5000, using: &random)
                    let slope = log2(Double(width))
                    return point(
                        variant, width, rate, 30 + slope * log2(rate / 400) / 4 + .random(in: 0...2, using: &random))
                }
            }
        }
    }

    @Test("the front has each encode that none beats, and none that another does, where quality rises ever faster too")
    func front() {
        // Over the logarithm the straight way from the first to the last is above those between.
        let rates = [100.0, 200, 400, 800]
        let steep = zip(rates, [30.0, 31, 34, 40]).map { Self.point("x264", 640, $0, $1) }
        #expect(hull(steep).corners == [0, 3] && hull(steep).front == [0, 1, 2, 3])
        // Another size between two of them, below and above the line that joins them.
        #expect(hull(steep + [Self.point("x264", 320, 300, 32)]).front == [0, 1, 2, 3])
        #expect(hull(steep + [Self.point("x264", 320, 300, 33)]).front == [0, 1, 4, 2, 3])
        var random = SeededGenerator()
        for _ in 0..<300 {
            let points = Self.random(&random)
            let hull = hull(points, of: nil)
            let values = hull.front.compactMap { points[$0].value(Self.score) }
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
            #expect(hull.corners.allSatisfy(hull.front.contains))
        }
    }

    @Test("encodes without a value are on no hull, and one encode is a hull of one size")
    func single() {
        let alone = [Self.point("x264", 640, 100, 30), Self.point("x264", 320, 50, nil)]
        let hull = hull(alone)
        #expect(hull.corners == [0] && hull.rungs == [0])
        #expect(hull.choices == [.init(variant: "x264", width: 640, height: 320, from: 100_000, to: 100_000)])
        #expect(self.hull([]).choices.isEmpty)
    }

    @Test("a curve that needs half the bits is sent larger from half the rate on, and takes half at every rung")
    func pair() throws {
        let points = Self.two("x264") + Self.two("x265", share: 0.5)
        let hulls = ["x264", "x265"].map { hull(points, of: $0) }
        let pair = try #require(LadderPair(anchor: hulls[0], test: hulls[1], points, score: Self.score))
        #expect(pair.low == 100_000 && pair.high == 800_000)
        let difference = try #require(pair.differences.first)
        #expect(pair.differences.count == 1 && difference.isLarger)
        #expect(difference.anchorSize.width == 320 && difference.testSize.width == 640)
        #expect(abs(difference.from / 200_000 - 1) < 1e-9 && abs(difference.to / 400_000 - 1) < 1e-9)
        #expect(pair.shares.map(\.rung) == hulls[0].rungs)
        #expect(pair.shares.allSatisfy { abs($0.byteShare - 0.5) < 1e-9 })
        let same = try #require(LadderPair(anchor: hulls[0], test: hulls[0], points, score: Self.score))
        #expect(same.differences.isEmpty && same.shares.allSatisfy { abs($0.byteShare - 1) < 1e-9 })
    }

    @Test("curves that share no bit rate have no range, and no size to compare")
    func apart() throws {
        let points = [
            Self.point("x264", 640, 1000, 40), Self.point("x264", 640, 2000, 44), Self.point("x265", 320, 100, 30),
            Self.point("x265", 320, 200, 33),
        ]
        let hulls = ["x264", "x265"].map { hull(points, of: $0) }
        let pair = try #require(LadderPair(anchor: hulls[0], test: hulls[1], points, score: Self.score))
        #expect(pair.low == nil && pair.high == nil && pair.differences.isEmpty && pair.shares.isEmpty)
    }
}
