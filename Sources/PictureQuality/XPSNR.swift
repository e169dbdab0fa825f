// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc

extension Metric {
    /// Peak signal-to-noise ratio with errors weighted by how well an eye sees them (Helmrich et al., 2020).
    package static let xpsnr = Metric(
        name: "xpsnr", columns: XPSNR.columns,
        method: .ffmpeg(
            FFmpegFilter(name: "xpsnr", options: "stats_file=\(FFmpegFilter.output)") { bytes throws(CommandFailure) in
                try XPSNR.reading(bytes)
            }),
        scores: [
            Score(id: "xpsnr_y_db", title: "XPSNR-Y", unit: "dB", decimals: 2, use: .shown) {
                XPSNR.ofColumn("xpsnr_mse_y", $0)
            },
            Score(id: "xpsnr_cb_db", title: "XPSNR-Cb", unit: "dB", decimals: 2, use: .kept) {
                XPSNR.ofColumn("xpsnr_mse_cb", $0)
            },
            Score(id: "xpsnr_cr_db", title: "XPSNR-Cr", unit: "dB", decimals: 2, use: .kept) {
                XPSNR.ofColumn("xpsnr_mse_cr", $0)
            },
            Score(id: "xpsnr_minimum_db", title: "XPSNR of the worst plane", unit: "dB", decimals: 2, use: .kept) {
                frames in
                let planes = XPSNR.columns.compactMap { XPSNR.ofColumn($0, frames) }
                return planes.count == XPSNR.columns.count ? planes.min() : nil
            },
        ])
}

/// What FFmpeg's xpsnr filter prints.
///
/// It is kept as the weighted mean squared errors that it stands for, relative to a largest sample of 1: these are
/// finite where pictures equal their sources.
package enum XPSNR {
    package static let columns = ["xpsnr_mse_y", "xpsnr_mse_cb", "xpsnr_mse_cr"]

    /// The ratio in dB of a column's errors, averaged over frames as the filter does: their square roots, and that
    /// squared.
    package static func ofColumn(_ name: String, _ frames: FrameTable) -> Double? {
        frames.column(name).map { errors in
            let root = errors.reduce(0) { $0 + $1.squareRoot() } / Double(errors.count)
            return -20 * log10(root)
        }
    }

    /// Reads lines such as "n:    1  XPSNR y: 34.8278  XPSNR u: 34.9145  XPSNR v: inf".
    package static func reading(_ bytes: [UInt8]) throws(CommandFailure) -> FFmpegFilter.Log {
        var columns: [[Double?]] = [[], [], []]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("n:") {
            let words = line.split(separator: " ")
            let values = zip(words, words.dropFirst()).compactMap { name, value in
                ["y:", "u:", "v:"].contains(name) ? Double(value) : nil
            }
            guard words.count > 1, Int(words[1]) == columns[0].count + 1, values.count == 3 else {
                throw CommandFailure("no line of xpsnr: '\(line.prefix(80))'")
            }
            for (plane, decibels) in values.enumerated() { columns[plane].append(pow(10, -decibels / 10)) }
        }
        return FFmpegFilter.Log(maker: nil, columns: columns)
    }
}
