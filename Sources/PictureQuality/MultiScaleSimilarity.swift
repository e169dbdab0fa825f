// SPDX-License-Identifier: MIT

import Glibc

extension Metric {
    /// Multi-scale structural similarity of luma.
    package static let multiScaleSimilarity = Metric(
        name: "ms-ssim", columns: ["ms_ssim_y"],
        method: .builtIn(revision: 1) { [$0.measure(MultiScaleSimilarity(), plane: 0)] },
        minimumSide: MultiScaleSimilarity.minimumSide,
        scores: [
            Score(
                id: "ms_ssim_y", title: "MS-SSIM", unit: nil, decimals: 4, use: .shown, maximum: 1,
                meaning: "how alike the structures of the pictures and of their source are at several sizes"
            ) {
                $0.mean("ms_ssim_y")
            },
            Score(id: "ms_ssim_y_db", title: "MS-SSIM dB", unit: "dB", decimals: 2, use: .compared) {
                $0.mean("ms_ssim_y").map { -10 * log10(1 - $0) }
            },
        ])
}

/// Multi-scale structural similarity (Wang, Simoncelli and Bovik, 2003), 1 for equal planes; nil where a side is under
/// 176 samples, which five scales need.
///
/// As libvmaf's float_ms_ssim has it: means of contrast and of structure over each scale, of luminance over the last,
/// to the powers of the paper's weights; Gaussian windows of 11x11 samples that lie within the picture; scales halved
/// behind the low-pass of the 9/7 wavelet, mirrored at the edges; samples of more than eight bits scaled to 0..<256.
package struct MultiScaleSimilarity: PlaneComparison {
    /// Weights of the scales, the finest first.
    package static let weights = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]
    /// Samples that each side must have.
    package static let minimumSide = 11 << 4

    package func compare<Sample>(_ planes: PlanePair<Sample>) -> Double? {
        guard min(planes.width, planes.height) >= Self.minimumSide else { return nil }
        let scale = 256 / Double(planes.maxValue + 1)
        var first = RealPlane(planes.first, width: planes.width, height: planes.height, scale: scale)
        var second = RealPlane(planes.second, width: planes.width, height: planes.height, scale: scale)
        var product = 1.0
        for (index, weight) in Self.weights.enumerated() {
            let terms = SimilarityTerms(first, second)
            // A structure that is inverted on average has no real power; it counts as none.
            product *= pow(terms.contrast, weight) * pow(max(terms.structure, 0), weight)
            if index == Self.weights.count - 1 { return product * pow(terms.luminance, weight) }
            first = first.halved
            second = second.halved
        }
        return product
    }
}

/// The means of similarity's three factors over one scale.
private struct SimilarityTerms {
    private(set) var luminance = 0.0
    private(set) var contrast = 0.0
    private(set) var structure = 0.0

    /// The Gaussian of deviation 1.5 over eleven samples, in sum 1 before libvmaf rounds it to six decimals: that makes
    /// variances a little too small, which shows where a picture is flat.
    private static let window: [Double] = {
        let values = (-5...5).map { exp(-Double($0 * $0) / 4.5) }
        let sum = values.reduce(0, +)
        return values.map { ($0 / sum * 1e6).rounded() / 1e6 }
    }()

    init(_ first: RealPlane, _ second: RealPlane) {
        let taps = Self.window.count
        let (columns, rows) = (first.width - taps + 1, first.height - taps + 1)
        // Sums down the columns of both samples, of their squares, and of their product.
        var sums = [Double](repeating: 0, count: 5 * first.width)
        for row in 0..<rows {
            sums.withUnsafeMutableBufferPointer { sums in
                guard let base = sums.baseAddress else { return }
                sums.update(repeating: 0)
                for (tap, weight) in Self.window.enumerated() {
                    Self.add(first, second, row: row + tap, weight: weight, to: base)
                }
                add(base, stride: first.width, columns: columns)
            }
        }
        let count = Double(columns * rows)
        luminance /= count
        contrast /= count
        structure /= count
    }

    private static func add(
        _ first: RealPlane, _ second: RealPlane, row: Int, weight: Double, to sums: UnsafeMutablePointer<Double>
    ) {
        let width = first.width
        let (a, b, aa, bb, ab) = (sums, sums + width, sums + 2 * width, sums + 3 * width, sums + 4 * width)
        first.withRow(row) { left in
            second.withRow(row) { right in
                for x in 0..<width {
                    let (p, q) = (left[x], right[x])
                    let (wp, wq) = (weight * p, weight * q)
                    a[x] += wp
                    b[x] += wq
                    aa[x] += wp * p
                    bb[x] += wq * q
                    ab[x] += wp * q
                }
            }
        }
    }

    private mutating func add(_ sums: UnsafeMutablePointer<Double>, stride: Int, columns: Int) {
        let (c1, c2): (Double, Double) = (2.55 * 2.55, 7.65 * 7.65)
        for x in 0..<columns {
            var (a, b, aa, bb, ab): (Double, Double, Double, Double, Double) = (0, 0, 0, 0, 0)
            Self.window.withUnsafeBufferPointer { window in
                for tap in 0..<window.count {
                    let (weight, place) = (window[tap], sums + x + tap)
                    a += weight * place[0]
                    b += weight * place[stride]
                    aa += weight * place[2 * stride]
                    bb += weight * place[3 * stride]
                    ab += weight * place[4 * stride]
                }
            }
            let (varianceA, varianceB) = (max(aa - a * a, 0), max(bb - b * b, 0))
            let deviations = (varianceA * varianceB).squareRoot()
            luminance += (2 * a * b + c1) / (a * a + b * b + c1)
            contrast += (2 * deviations + c2) / (varianceA + varianceB + c2)
            // Where a picture is flat the covariance is nothing but rounding.
            let covariance = deviations > 0 ? ab - a * b : max(ab - a * b, 0)
            structure += (covariance + c2 / 2) / (deviations + c2 / 2)
        }
    }
}

/// A plane of samples in 0..<256.
private struct RealPlane {
    let width: Int
    let height: Int
    private var samples: [Double]

    init<Sample>(_ plane: SamplePlane<Sample>, width: Int, height: Int, scale: Double) {
        self.width = width
        self.height = height
        samples = [Double](unsafeUninitializedCapacity: width * height) { buffer, count in
            for y in 0..<height {
                let row = plane.row(y)
                for x in 0..<width { buffer[y * width + x] = Double(row[x]) * scale }
            }
            count = width * height
        }
    }

    private init(width: Int, height: Int, samples: [Double]) {
        self.width = width
        self.height = height
        self.samples = samples
    }

    func withRow(_ index: Int, _ body: (UnsafePointer<Double>) -> Void) {
        samples.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { body(base + index * width) }
        }
    }

    /// The low-pass of the 9/7 wavelet from its center on, as libvmaf rounds it.
    private static let lowPass: [Double] = [0.602914, 0.266846, -0.078201, -0.016828, 0.026727]

    /// The plane at half the size, rounded up, of its even samples behind the low-pass.
    var halved: RealPlane {
        // Twice the same step, each of which turns rows into columns.
        halvedAcross.halvedAcross
    }

    /// Each row at half its length, as a column.
    private var halvedAcross: RealPlane {
        let half = (width + 1) / 2
        var result = [Double](repeating: 0, count: half * height)
        result.withUnsafeMutableBufferPointer { result in
            for y in 0..<height {
                withRow(y) { row in
                    for x in 0..<half {
                        var sum = Self.lowPass[0] * row[2 * x]
                        for tap in 1..<Self.lowPass.count {
                            let (left, right) = (2 * x - tap, 2 * x + tap)
                            sum +=
                                Self.lowPass[tap]
                                * (row[left < 0 ? -1 - left : left] + row[right < width ? right : 2 * width - 1 - right])
                        }
                        result[x * height + y] = sum
                    }
                }
            }
        }
        return RealPlane(width: height, height: half, samples: result)
    }
}
