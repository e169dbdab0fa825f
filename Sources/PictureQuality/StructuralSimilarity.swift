// SPDX-License-Identifier: MIT

import Glibc

extension Metric {
    /// Mean structural similarity of luma.
    package static let structuralSimilarity = Metric(
        name: "ssim", columns: ["ssim_y"],
        method: .builtIn(revision: 1) { [$0.measure(StructuralSimilarity(), plane: 0)] },
        scores: [
            Score(
                id: "ssim_y", title: "SSIM", unit: nil, decimals: 4, use: .shown, maximum: 1,
                meaning: "how alike the structures of the pictures and of their source are"
            ) { $0.mean("ssim_y") },
            Score(id: "ssim_y_db", title: "SSIM dB", unit: "dB", decimals: 2, use: .compared) {
                $0.mean("ssim_y").map { -10 * log10(1 - $0) }
            },
        ])
}

/// Mean structural similarity (Wang et al., 2004), 1 for equal planes; nil where a side is under 8 samples.
///
/// As FFmpeg's ssim filter has it: means over 8x8 windows that step by four samples, without weights, with the
/// constants rounded to whole numbers.
package struct StructuralSimilarity: PlaneComparison {
    package func compare<Sample>(_ planes: PlanePair<Sample>) -> Double? {
        var windows = SimilarityWindows<Sample>(width: planes.width, maxValue: planes.maxValue)
        return windows.mean(planes.first, planes.second, height: planes.height)
    }
}

/// Sums over blocks of 4x4 samples, and windows of 2x2 blocks.
private struct SimilarityWindows<Sample: FixedWidthInteger & UnsignedInteger> {
    /// Sums that a window needs: of both planes, of all squares, of the products.
    private typealias Sums = SIMD4<UInt32>

    private let blocks: Int
    private let c1: Double
    private let c2: Double
    /// Four rows of column sums, one after the other.
    private var columns: [UInt32]

    init(width: Int, maxValue: Int) {
        blocks = width / 4
        let square = Double(maxValue * maxValue)
        // The usual constants, for sums over 64 samples instead of means.
        c1 = (0.01 * 0.01 * square * 64).rounded()
        c2 = (0.03 * 0.03 * square * 64 * 63).rounded()
        columns = [UInt32](repeating: 0, count: blocks * 4 * 4)
    }

    mutating func mean(_ first: SamplePlane<Sample>, _ second: SamplePlane<Sample>, height: Int) -> Double? {
        let blockRows = height / 4
        guard blocks > 1, blockRows > 1 else { return nil }
        var above = [Sums](repeating: .zero, count: blocks)
        var current = above
        var sum = 0.0
        for row in 0..<blockRows {
            swap(&above, &current)
            addBlocks(first, second, firstRow: row * 4, to: &current)
            if row > 0 { sum += windows(above, current) }
        }
        return sum / Double((blocks - 1) * (blockRows - 1))
    }

    /// Sums each 4x4 block of four rows: first down the columns, where vector code is easy, then across.
    private mutating func addBlocks(
        _ first: SamplePlane<Sample>, _ second: SamplePlane<Sample>, firstRow: Int, to sums: inout [Sums]
    ) {
        let width = blocks * 4
        columns.withUnsafeMutableBufferPointer { columns in
            columns.update(repeating: 0)
            guard let a = columns.baseAddress else { return }
            let (b, squares, products) = (a + width, a + 2 * width, a + 3 * width)
            for row in firstRow..<firstRow + 4 {
                let (left, right) = (first.row(row), second.row(row))
                for x in 0..<width {
                    let (p, q) = (UInt32(truncatingIfNeeded: left[x]), UInt32(truncatingIfNeeded: right[x]))
                    a[x] &+= p
                    b[x] &+= q
                    squares[x] &+= p &* p &+ q &* q
                    products[x] &+= p &* q
                }
            }
            for block in 0..<blocks {
                var sum = Sums.zero
                for x in block * 4..<block * 4 + 4 { sum &+= Sums(a[x], b[x], squares[x], products[x]) }
                sums[block] = sum
            }
        }
    }

    private func windows(_ above: [Sums], _ current: [Sums]) -> Double {
        var total = 0.0
        for block in 0..<blocks - 1 {
            let sums = above[block] &+ above[block + 1] &+ current[block] &+ current[block + 1]
            let (a, b) = (Double(sums[0]), Double(sums[1]))
            let variances = Double(sums[2]) * 64 - a * a - b * b
            let covariance = Double(sums[3]) * 64 - a * b
            total += (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2))
        }
        return total
    }
}
