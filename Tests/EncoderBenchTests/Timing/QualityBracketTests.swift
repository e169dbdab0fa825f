// SPDX-License-Identifier: MIT

import BenchStudies
import Glibc
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct QualityBracketTests {
    private let points = Studies.study().points

    private func curve(_ qualities: [Double]) -> [QualityBracket.Knot] {
        zip(points, qualities).map { QualityBracket.Knot(point: $0, quality: $1) }
    }

    @Test("what grows by the same factor with each decibel is met exactly at any quality")
    func exponential() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let (a, b) = (Double.random(in: -3...3, using: &random), Double.random(in: -0.5...0.5, using: &random))
            let qualities = (0..<4).map { 30 + 4 * Double($0) + Double.random(in: 0...3, using: &random) }
            let quality = Double.random(in: qualities[0]...qualities[3], using: &random)
            let bracket = try #require(QualityBracket(quality, on: curve(qualities.shuffled(using: &random))))
            let amounts = bracket.knots.map { exp(a + b * $0.quality) }
            #expect(abs(bracket.interpolated(amounts) / exp(a + b * quality) - 1) < 1e-12)
        }
    }

    @Test("a quality lies between its nearest neighbors, or is one encode's own")
    func neighbors() throws {
        let curve = curve([40, 34, 37, 31])
        #expect(QualityBracket(36, on: curve)?.knots.map(\.quality) == [37, 34])
        #expect(QualityBracket(37, on: curve)?.knots.map(\.quality) == [37])
        #expect(QualityBracket(40, on: curve)?.interpolated([7]) == 7)
    }

    @Test("nothing is extrapolated", arguments: [30.99, 40.01, .infinity])
    func outside(quality: Double) {
        #expect(QualityBracket(quality, on: curve([40, 34, 37, 31])) == nil)
        #expect(QualityBracket(quality, on: []) == nil)
    }

    @Test("the quality is an encode's, near the middle of what both curves reach")
    func shared() {
        func shared(_ anchor: [Double], _ test: [Double]) -> Double? {
            QualityBracket.sharedQuality(anchor: anchor, tests: [test])
        }
        #expect(shared([44, 40, 36, 32], [43, 39, 35, 31]) == 36)
        #expect(shared([44, 40, 36, 32], [50, 46, 42, 38]) == 40)
        // One curve lies between two encodes of the other.
        #expect(shared([40, 30], [33, 36, 38]) == 36)
        #expect(shared([40, 36], [36, 30]) == 36)
        #expect(shared([40, 36], [35.9, 30]) == nil)
        #expect(shared([], [36]) == nil && shared([36], []) == nil)
    }

    @Test("several curves have one quality that all of them reach, or none")
    func sharedBySeveral() {
        func shared(_ tests: [[Double]]) -> Double? {
            QualityBracket.sharedQuality(anchor: [44, 40, 36, 32], tests: tests)
        }
        #expect(shared([[43, 39, 35, 31], [50, 46, 42, 38]]) == 40)
        #expect(shared([[43, 39, 35, 33], [39.5, 37, 36.5]]) == 39)
        #expect(shared([[43, 41], [40, 32]]) == nil && shared([]) == nil && shared([[40, 32], []]) == nil)
    }
}
