// SPDX-License-Identifier: MIT

import Glibc

extension Metric {
    /// Mean squared errors of the planes, and the peak signal-to-noise ratios that follow.
    package static let squaredError = Metric(
        name: "psnr", columns: ["mse_y", "mse_cb", "mse_cr"],
        method: .builtIn(revision: 1) { pair in (0..<3).map { pair.measure(MeanSquaredError(), plane: $0) } },
        scores: [
            Score(
                id: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 2, use: .shown,
                meaning: "how near the brightness of the pictures is to that of their source"
            ) {
                PSNR.ofColumn("mse_y", $0)
            },
            Score(id: "psnr_weighted_6_1_1_db", title: "PSNR 6:1:1", unit: "dB", decimals: 2, use: .shown) {
                PSNR.weighted($0)
            },
            Score(id: "psnr_cb_db", title: "PSNR-Cb", unit: "dB", decimals: 2, use: .kept) {
                PSNR.ofColumn("mse_cb", $0)
            },
            Score(id: "psnr_cr_db", title: "PSNR-Cr", unit: "dB", decimals: 2, use: .kept) {
                PSNR.ofColumn("mse_cr", $0)
            },
            Score(id: "psnr_y_mean_of_frames_db", title: "PSNR-Y of frames", unit: "dB", decimals: 2, use: .kept) {
                PSNR.ofFrames($0).map { $0.reduce(0, +) / Double($0.count) }
            },
            Score(id: "psnr_y_worst_frame_db", title: "PSNR-Y of the worst frame", unit: "dB", decimals: 2, use: .kept)
            { PSNR.ofFrames($0)?.min() },
        ])
}

/// Peak signal-to-noise ratio.
package enum PSNR {
    /// What stands for equal planes, in dB, where values of several planes or frames are averaged.
    package static let maximum = 100.0

    /// The ratio in dB for a mean squared error; infinite for 0.
    package static func decibels(meanSquaredError: Double, bitDepth: Int) -> Double {
        let peak = Double((1 << bitDepth) - 1)
        return 10 * log10(peak * peak / meanSquaredError)
    }

    /// The ratio in dB for the mean over all frames of a column of mean squared errors.
    package static func ofColumn(_ name: String, _ frames: FrameTable) -> Double? {
        frames.mean(name).map { decibels(meanSquaredError: $0, bitDepth: frames.bitDepth) }
    }

    /// Luma's ratio for the mean over all frames.
    package static func ofLuma(_ frames: FrameTable) -> Double? { ofColumn("mse_y", frames) }

    /// Luma and chroma in the customary weights 6:1:1, of values in dB.
    package static func weighted(_ frames: FrameTable) -> Double? {
        let planes = ["mse_y", "mse_cb", "mse_cr"].compactMap { column in
            ofColumn(column, frames)
        }
        guard planes.count == 3 else { return nil }
        if planes.allSatisfy({ $0 == .infinity }) { return .infinity }
        return zip([6.0, 1, 1], planes).reduce(0) { $0 + $1.0 * min($1.1, maximum) } / 8
    }

    /// Luma's ratio for each frame, at most ``maximum``.
    package static func ofFrames(_ frames: FrameTable) -> [Double]? {
        frames.column("mse_y")?.map { min(decibels(meanSquaredError: $0, bitDepth: frames.bitDepth), maximum) }
    }
}

/// The mean of the squared differences of all samples.
package struct MeanSquaredError: PlaneComparison {
    package init() {}

    package func compare<Sample>(_ planes: PlanePair<Sample>) -> Double? {
        var squares: UInt64 = 0
        for row in 0..<planes.height {
            squares += Self.squaredError(planes.first.row(row), planes.second.row(row), count: planes.width)
        }
        return Double(squares) / Double(planes.width * planes.height)
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
