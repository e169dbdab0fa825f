// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderBench

@Suite struct PiecewiseCubicTests {
    @Test(
        "a straight line has the area of a trapezium, however it is joined", arguments: PiecewiseCubic.Method.allCases)
    func line(method: PiecewiseCubic.Method) {
        let curve = PiecewiseCubic(x: [1, 2, 4, 7, 8], y: [3, 5, 9, 15, 17], method: method)
        #expect(abs(curve.integral(from: 1, to: 8) - 70) < 1e-9)
        #expect(abs(curve.integral(from: 3, to: 5) - 18) < 1e-9)
        #expect(curve.integral(from: 5, to: 5) == 0)
    }

    @Test("one polynomial of third degree reproduces one")
    func polynomial() {
        let x = [0.5, 1, 2, 3, 5]
        let curve = PiecewiseCubic(x: x, y: x.map { $0 * $0 * $0 - 2 * $0 }, method: .cubic)
        #expect(abs(curve.integral(from: 1, to: 4) - (63.75 - 15)) < 1e-9)
    }

    @Test("pchip does not overshoot a step where akima and cubic may")
    func step() {
        let curve = PiecewiseCubic(x: [0, 1, 2, 3], y: [0, 0, 1, 1], method: .pchip)
        #expect(curve.integral(from: 0, to: 1) == 0)
        #expect(abs(curve.integral(from: 1, to: 2) - 0.5) < 1e-12)
    }

    @Test("areas add up across knots", arguments: PiecewiseCubic.Method.allCases)
    func additivity(method: PiecewiseCubic.Method) {
        let curve = PiecewiseCubic(x: [30, 33.5, 36, 38.2, 40.1], y: [3, 3.3, 3.7, 4.1, 4.3], method: method)
        let parts = curve.integral(from: 31, to: 35) + curve.integral(from: 35, to: 39)
        #expect(abs(curve.integral(from: 31, to: 39) - parts) < 1e-10)
    }
}
