// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer

/// Y, Cb and Cr by the sentences of H.273, in real numbers, for comparison.
struct ExactConversion {
    let red: Double
    let blue: Double
    let isFullRange: Bool
    var isLeft = true

    /// Kr and Kb of BT.601, BT.709 and BT.2020 by their codes, and of the two older systems.
    static let weights: [(code: Int, red: Double, blue: Double)] = [
        (1, 0.2126, 0.0722), (4, 0.30, 0.11), (5, 0.299, 0.114), (6, 0.299, 0.114), (7, 0.212, 0.087),
        (9, 0.2627, 0.0593),
    ]

    /// Y, Cb and Cr of one pixel, not rounded.
    func values(_ rgb: [Double]) -> [Double] {
        let (r, g, b) = (rgb[0] / 255, rgb[1] / 255, rgb[2] / 255)
        let y = red * r + (1 - red - blue) * g + blue * b
        let (cb, cr) = ((b - y) / (1 - blue) / 2, (r - y) / (1 - red) / 2)
        return isFullRange
            ? [255 * y, 255 * cb + 128, 255 * cr + 128] : [219 * y + 16, 224 * cb + 128, 224 * cr + 128]
    }

    /// The samples of a picture's component.
    func samples(_ picture: PixelBuffer, _ component: Int) -> [[UInt8]] {
        func value(_ column: Int, _ row: Int) -> Double {
            let (column, row) = (min(max(column, 0), picture.width - 1), min(row, picture.height - 1))
            return values(picture.pixel(column, row))[component]
        }
        func rounded(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        guard component > 0 else {
            return (0..<picture.height).map { row in (0..<picture.width).map { rounded(value($0, row)) } }
        }
        return (0..<(picture.height + 1) / 2).map { row in
            (0..<(picture.width + 1) / 2).map { column in
                func mean(_ x: Int) -> Double { (value(x, 2 * row) + value(x, 2 * row + 1)) / 2 }
                let (left, middle, right) = (mean(2 * column - 1), mean(2 * column), mean(2 * column + 1))
                let outer: Double = (left + right) / 4
                return rounded(isLeft ? outer + middle / 2 : (middle + right) / 2)
            }
        }
    }
}

/// The largest difference of two components' samples; 256 where their sizes differ.
func difference(_ left: [[UInt8]], _ right: [[UInt8]]) -> Int {
    guard left.map(\.count) == right.map(\.count) else { return 256 }
    return zip(left, right).flatMap { zip($0, $1).map { abs(Int($0) - Int($1)) } }.max() ?? 0
}
