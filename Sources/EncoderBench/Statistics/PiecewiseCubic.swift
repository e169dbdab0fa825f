// SPDX-License-Identifier: MIT

/// A curve through points, made of cubic polynomials between its knots.
package struct PiecewiseCubic {
    /// How the points are joined.
    package enum Method: String, Sendable, CaseIterable {
        /// Shape-preserving Hermite splines (Fritsch and Butland): never overshoots. The one MPEG uses.
        case pchip
        /// Akima's splines: local, smooth, insensitive to one bad point.
        case akima
        /// One polynomial of third degree fitted to all points: Bjontegaard's first proposal.
        case cubic
    }

    /// Strictly increasing; one more than ``segments``.
    private let knots: [Double]
    /// Coefficients c0 + c1 t + c2 t^2 + c3 t^3 with t counted from the segment's first knot.
    private let segments: [SIMD4<Double>]

    /// Joins points.
    ///
    /// - Parameters:
    ///   - x: Strictly increasing, two or more; four or more for `.cubic`.
    ///   - y: As many as `x`.
    ///   - method: How to join them.
    package init(x: [Double], y: [Double], method: Method) {
        precondition(x.count == y.count && x.count >= (method == .cubic ? 4 : 2))
        switch method {
        case .pchip: self.init(x: x, y: y, slopes: Self.pchipSlopes)
        case .akima: self.init(x: x, y: y, slopes: Self.akimaSlopes)
        case .cubic:
            let fitted = Self.fit(x: x.map { $0 - x[0] }, y: y)
            self.init(knots: [x[0], x[x.count - 1]], segments: [fitted])
        }
    }

    private init(knots: [Double], segments: [SIMD4<Double>]) {
        self.knots = knots
        self.segments = segments
    }

    /// Hermite splines with slopes at the knots that follow from interval widths and secants.
    private init(x: [Double], y: [Double], slopes: (_ widths: [Double], _ secants: [Double]) -> [Double]) {
        let widths = zip(x.dropFirst(), x).map { $0 - $1 }
        let secants = widths.indices.map { (y[$0 + 1] - y[$0]) / widths[$0] }
        let slopes = slopes(widths, secants)
        let segments = widths.indices.map { index in
            let (h, secant) = (widths[index], secants[index])
            let (left, right) = (slopes[index], slopes[index + 1])
            let quadratic = (3 * secant - 2 * left - right) / h
            let cubic = (left + right - 2 * secant) / (h * h)
            return SIMD4(y[index], left, quadratic, cubic)
        }
        self.init(knots: x, segments: segments)
    }

    /// The curve's height at `x`; nil outside the knots.
    package func value(at x: Double) -> Double? {
        guard let index = segments.indices.first(where: { knots[$0] <= x && x <= knots[$0 + 1] }) else { return nil }
        let t = x - knots[index]
        let c = segments[index]
        return c[0] + t * (c[1] + t * (c[2] + t * c[3]))
    }

    /// The area under the curve from `low` to `high`; both within the knots.
    package func integral(from low: Double, to high: Double) -> Double {
        segments.indices.reduce(0) { sum, index in
            let start = max(low, knots[index])
            let end = min(high, knots[index + 1])
            guard start < end else { return sum }
            return sum + primitive(index, end - knots[index]) - primitive(index, start - knots[index])
        }
    }

    private func primitive(_ index: Int, _ t: Double) -> Double {
        let c = segments[index]
        return t * (c[0] + t * (c[1] / 2 + t * (c[2] / 3 + t * c[3] / 4)))
    }
}

// MARK: - Slopes

extension PiecewiseCubic {
    private static func pchipSlopes(widths: [Double], secants: [Double]) -> [Double] {
        guard widths.count > 1 else { return [secants[0], secants[0]] }
        let inner = (1..<widths.count).map { index in
            let (before, after) = (secants[index - 1], secants[index])
            guard before * after > 0 else { return 0.0 }
            let first = 2 * widths[index] + widths[index - 1]
            let second = widths[index] + 2 * widths[index - 1]
            return (first + second) / (first / before + second / after)
        }
        let last = widths.count - 1
        return [end(widths[0], widths[1], secants[0], secants[1])] + inner
            + [end(widths[last], widths[last - 1], secants[last], secants[last - 1])]
    }

    /// Three-point formula at an end, held back so that the curve keeps its shape.
    private static func end(_ h0: Double, _ h1: Double, _ d0: Double, _ d1: Double) -> Double {
        let slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
        if slope * d0 <= 0 { return 0 }
        return d0 * d1 < 0 && abs(slope) > 3 * abs(d0) ? 3 * d0 : slope
    }

    private static func akimaSlopes(widths: [Double], secants: [Double]) -> [Double] {
        guard secants.count > 1 else { return [secants[0], secants[0]] }
        let count = secants.count
        let first = 2 * secants[0] - secants[1]
        let last = 2 * secants[count - 1] - secants[count - 2]
        // Two secants are extrapolated at either end, so that each knot has two on both sides.
        let (firstButOne, lastButOne) = (2 * first - secants[0], 2 * last - secants[count - 1])
        let m: [Double] = [firstButOne, first] + secants + [last, lastButOne]
        let changes: [Double] = zip(m.dropFirst(), m).map { abs($0 - $1) }
        let sums: [Double] = zip(changes, changes.dropFirst(2)).map { $0 + $1 }
        let threshold = 1e-9 * (sums.max() ?? 0)
        return (0...count).map { knot in
            let (before, after) = (changes[knot], changes[knot + 2])
            guard after + before > threshold else { return (m[knot + 1] + m[knot + 2]) / 2 }
            return (after * m[knot + 1] + before * m[knot + 2]) / (after + before)
        }
    }
}

// MARK: - Least squares

extension PiecewiseCubic {
    /// The polynomial of third degree nearest to the points, by Gram-Schmidt on the four powers of x.
    private static func fit(x: [Double], y: [Double]) -> SIMD4<Double> {
        let scale = x[x.count - 1]
        let powers = (0..<4).map { power in
            x.map { value in (0..<power).reduce(1.0) { product, _ in product * value / scale } }
        }
        func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

        var basis: [[Double]] = []
        var coefficients: [SIMD4<Double>] = []
        var result = SIMD4<Double>.zero
        for power in 0..<4 {
            var vector = powers[power]
            var inPowers = SIMD4<Double>.zero
            inPowers[power] = 1
            for _ in 0..<2 {  // the second round removes what rounding left of the first
                for (earlier, itsPowers) in zip(basis, coefficients) {
                    let share = dot(vector, earlier)
                    vector = zip(vector, earlier).map { $0 - share * $1 }
                    inPowers -= share * itsPowers
                }
            }
            let length = dot(vector, vector).squareRoot()
            basis.append(vector.map { $0 / length })
            coefficients.append(inPowers / length)
            result += dot(y, basis[power]) * coefficients[power]
        }
        return result / SIMD4(1, scale, scale * scale, scale * scale * scale)
    }
}
