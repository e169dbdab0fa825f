// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer
import TestSupport
import Testing

/// Pictures that are Y, Cb and Cr already.
@Suite struct YCbCrTests {
    /// Y, Cb and Cr of a picture as it comes, and how many columns and rows share a chroma sample.
    private static func components(_ picture: PixelBuffer) -> [[[Int]]] {
        let (width, height, format) = (picture.width, picture.height, picture.format)
        func rows(
            _ plane: Int, _ count: Int, _ columns: Int, step: Int = 1, offset: Int = 0
        ) -> [[Int]] {
            picture.withPlane(plane) { bytes, stride in
                (0..<count).map { row in (0..<columns).map { Int(bytes[row * stride + $0 * step + offset]) } }
            }
        }
        let half = (width + 1) / 2
        return switch format {
        case .yuyv:
            [
                rows(0, height, width, step: 2), rows(0, height, half, step: 4, offset: 1),
                rows(0, height, half, step: 4, offset: 3),
            ]
        case .uyvy:
            [
                rows(0, height, width, step: 2, offset: 1), rows(0, height, half, step: 4),
                rows(0, height, half, step: 4, offset: 2),
            ]
        case .nv16: [rows(0, height, width), rows(1, height, half, step: 2), rows(1, height, half, step: 2, offset: 1)]
        default: (0..<3).map { rows($0, height, width) }
        }
    }

    @Test(
        "4:2:2 keeps Y, and has the mean of two rows of Cb and Cr",
        arguments: [PixelFormat.yuyv, .uyvy, .nv16], [(38, 22), (37, 23), (1, 1), (2, 1)])
    func fourTwoTwo(format: PixelFormat, size: (Int, Int)) throws {
        var generator = SeededGenerator()
        for target in [PixelFormat.i420, .nv12] {
            let picture = try TestPicture.random(format, size.0, size.1, padding: 3, using: &generator)
            let made = try TestPicture.transferred(picture, to: target)
            let given = Self.components(picture)
            #expect(made.samples(0).map { $0.map(Int.init) } == given[0])
            for component in 1...2 {
                let expected = stride(from: 0, to: size.1, by: 2).map { row -> [Int] in
                    let (upper, lower) = (given[component][row], given[component][min(row + 1, size.1 - 1)])
                    return zip(upper, lower).map { ($0 + $1 + 1) / 2 }
                }
                #expect(made.samples(component).map { $0.map(Int.init) } == expected, "\(component) in \(target)")
            }
        }
    }

    @Test(
        "4:4:4 keeps Y, and has Cb and Cr where the options say",
        arguments: PixelTransferOptions.ChromaLocation.allCases, [(38, 22), (37, 23), (1, 1)])
    func fourFourFour(location: PixelTransferOptions.ChromaLocation, size: (Int, Int)) throws {
        var generator = SeededGenerator()
        var options = PixelTransferOptions()
        options.chromaLocation = location
        for target in [PixelFormat.i420, .nv12] {
            let picture = try TestPicture.random(.i444, size.0, size.1, using: &generator)
            let made = try TestPicture.transferred(picture, to: target, color: .bt709, options)
            let given = Self.components(picture)
            #expect(made.samples(0).map { $0.map(Int.init) } == given[0])
            for component in 1...2 {
                func value(_ x: Int, _ y: Int) -> Double {
                    Double(given[component][min(y, size.1 - 1)][min(max(x, 0), size.0 - 1)])
                }
                for (y, row) in made.samples(component).enumerated() {
                    for (x, sample) in row.enumerated() {
                        func mean(_ x: Int) -> Double { (value(x, 2 * y) + value(x, 2 * y + 1)) / 2 }
                        let (left, middle, right) = (mean(2 * x - 1), mean(2 * x), mean(2 * x + 1))
                        let outer: Double = (left + right) / 4
                        let exact: Double = location == .left ? outer + middle / 2 : (middle + right) / 2
                        #expect(abs(Double(sample) - exact) <= 0.5, "\(x), \(y)")
                    }
                }
            }
        }
    }

    @Test("another range is converted to the next level, the same one to the bit", arguments: [false, true])
    func ranges(toFullRange: Bool) throws {
        // All values in each component.
        let picture = try TestPicture.picture(
            .i420, 64, 64, color: ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: !toFullRange)
        ) { UInt8(truncatingIfNeeded: $0) }
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: toFullRange)
        let made = try TestPicture.transferred(picture, to: .nv12, color: color)
        for component in 0..<3 {
            let (span, zero) = component == 0 ? (219.0, 16.0) : (224.0, 128.0)
            let middle = component == 0 ? 0.0 : 128.0
            for (row, given) in zip(made.samples(component), picture.samples(component)) {
                for (sample, value) in zip(row, given) {
                    let exact =
                        toFullRange
                        ? (Double(value) - zero) * 255 / span + middle : (Double(value) - middle) * span / 255 + zero
                    #expect(abs(Double(sample) - min(max(exact, 0), 255)) <= 0.5)
                }
            }
        }
        let same = try TestPicture.transferred(picture, to: .i420, color: picture.color)
        for component in 0..<3 { #expect(same.samples(component) == picture.samples(component)) }
    }
}
