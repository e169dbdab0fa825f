// SPDX-License-Identifier: MIT

import EncoderConformance
import Glibc
import Testing

@testable import EncoderBench

@Suite struct StudentTTests {
    @Test(
        "quantiles are those of printed tables",
        arguments: [
            (1, 0.95, 12.706_204_7), (2, 0.95, 4.302_652_7), (3, 0.95, 3.182_446_3), (4, 0.95, 2.776_445_1),
            (5, 0.95, 2.570_581_8), (7, 0.95, 2.364_624_3), (8, 0.95, 2.306_004_1), (10, 0.95, 2.228_138_9),
            (12, 0.95, 2.178_812_8), (30, 0.95, 2.042_272_5), (120, 0.95, 1.979_930_4), (1, 0.5, 1),
            (2, 0.99, 9.924_843_2), (9, 0.9, 1.833_112_9),
        ])
    func quantiles(degreesOfFreedom: Int, share: Double, expected: Double) {
        let value = StudentT(degreesOfFreedom: degreesOfFreedom).quantile(central: share)
        #expect(abs(value - expected) < 1e-6, "\(value)")
    }

    @Test("with many values it is the normal distribution's")
    func manyValues() {
        #expect(abs(StudentT(degreesOfFreedom: 1_000_000).quantile(central: 0.95) - 1.959_964) < 1e-5)
    }

    @Test("95 of 100 intervals hold the true mean, also of three clips", arguments: [3, 8])
    func coverage(clips: Int) throws {
        // The seed is fixed: what is tested is a count.
        var random = SplitMix64(state: UInt64(clips))
        func normal() -> Double {
            let (u, v) = (Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
            return (-2 * log(1 - u)).squareRoot() * cos(2 * .pi * v)
        }
        var held = 0
        let trials = 4000
        for _ in 0..<trials {
            let ratios = (0..<clips).map { _ in 0.75 * exp(0.2 * normal()) }
            if try #require(PairComparison.interval(ratios)).contains(0.75) { held += 1 }
        }
        let share = Double(held) / Double(trials)
        #expect((0.93...0.97).contains(share), "\(share)")
    }

    @Test("values that are all the same have no width, and one value has no interval")
    func edges() throws {
        #expect(StudentT.interval([2, 2, 2]) == 2...2)
        #expect(StudentT.interval([2]) == nil && StudentT.interval([]) == nil)
        #expect(StudentT.interval([2, .infinity]) == nil)
    }
}
