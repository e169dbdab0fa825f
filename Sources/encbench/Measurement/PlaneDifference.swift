// SPDX-License-Identifier: MIT

/// How two planes of samples differ.
struct PlaneDifference: Equatable, Sendable {
    /// Mean of the squared differences of all samples.
    var meanSquaredError: Double
    /// Mean structural similarity (Wang et al., 2004), 1 for equal planes; nil where a side is under 8 samples.
    var structuralSimilarity: Double?
}

/// One plane to compare: `height` rows of `width` samples.
struct SamplePlane<Sample: FixedWidthInteger & UnsignedInteger> {
    /// First sample of the first row.
    let base: UnsafeRawPointer
    /// Bytes from row to row.
    let bytesPerRow: Int

    func row(_ index: Int) -> UnsafePointer<Sample> {
        (base + index * bytesPerRow).assumingMemoryBound(to: Sample.self)
    }
}

extension PlaneDifference {
    /// Compares two planes of the same size.
    ///
    /// Similarity is that of FFmpeg's ssim filter: means over 8x8 windows that step by four samples, without weights.
    init<Sample>(
        _ first: SamplePlane<Sample>, _ second: SamplePlane<Sample>, width: Int, height: Int, maxValue: Int
    ) {
        var squares: UInt64 = 0
        for row in 0..<height {
            squares += Self.squaredError(first.row(row), second.row(row), count: width)
        }
        meanSquaredError = Double(squares) / Double(width * height)
        var similarity = StructuralSimilarity<Sample>(width: width, maxValue: maxValue)
        structuralSimilarity = similarity.mean(first, second, height: height)
    }

    /// The sum of the squared differences of two rows.
    private static func squaredError<Sample: FixedWidthInteger & UnsignedInteger>(
        _ first: UnsafePointer<Sample>, _ second: UnsafePointer<Sample>, count: Int
    ) -> UInt64 {
        var total: UInt64 = 0
        var start = 0
        while start < count {
            // 256 squares of twelve bits fit in 32 bits: short enough not to overflow, long enough for vector code.
            let end = min(start + 256, count)
            var sum: UInt32 = 0
            for index in start..<end {
                let difference = Int32(truncatingIfNeeded: first[index]) &- Int32(truncatingIfNeeded: second[index])
                sum &+= UInt32(truncatingIfNeeded: difference &* difference)
            }
            total += UInt64(sum)
            start = end
        }
        return total
    }
}

/// Sums over blocks of 4x4 samples, and windows of 2x2 blocks.
private struct StructuralSimilarity<Sample: FixedWidthInteger & UnsignedInteger> {
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
        c1 = 0.01 * 0.01 * square * 64
        c2 = 0.03 * 0.03 * square * 64 * 63
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
