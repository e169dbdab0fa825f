// SPDX-License-Identifier: MIT

package import CommandOptions

/// The sizes of a ladder.
package enum LadderSizes {
    /// How many there may be.
    package static let counts = 2...12

    /// Shares of the source's sides that are tried unasked.
    private static let shares = [1, 0.75, 0.5, 0.375, 0.25, 0.1875]
    /// Rows or columns that the smaller ones have at least.
    private static let leastSide = 180
    /// How far the ratio of two sides may be from the source's.
    private static let shapeTolerance = 0.03

    /// The sizes for a source, largest first: its own, and three quarters, a half, three eighths, a quarter and three
    /// sixteenths of its sides as far as none is shorter than 180; three quarters always.
    ///
    /// All but its own have even sides, since pictures share their chroma by two.
    package static func usual(for source: PictureSize) -> [PictureSize] {
        shares.enumerated().compactMap { index, share in
            if index == 0 { return source }
            let size = PictureSize(width: even(source.width, share), height: even(source.height, share))
            return index == 1 || min(size.width, size.height) >= leastSide ? size : nil
        }
    }

    private static func even(_ side: Int, _ share: Double) -> Int {
        max(2, Int((Double(side) * share / 2).rounded()) * 2)
    }

    /// Sizes separated by commas, such as `1280x720,640x360`, largest first.
    ///
    /// - Throws: ``OptionError`` for odd or missing sides, one size alone or twice, too many.
    package static func parse(_ text: String) throws(OptionError) -> [PictureSize] {
        let sizes = try OptionParsing.distinctList(text) { item throws(OptionError) in
            let size = try OptionParsing.size(item)
            guard size.width % 2 == 0, size.height % 2 == 0 else {
                throw OptionError(
                    .outOfRange, "'\(item)', expected even sides, since pictures share their chroma by two")
            }
            return size
        }
        guard counts.contains(sizes.count) else {
            throw OptionError(
                .outOfRange,
                "'\(text)' has \(Format.counted(sizes.count, "size")), expected "
                    + "\(counts.lowerBound)...\(counts.upperBound)")
        }
        return sizes.sorted { ($1.samples, $1.width) < ($0.samples, $0.width) }
    }

    /// Refuses sizes that a clip cannot be sent in: larger than its own, or of another shape.
    ///
    /// - Throws: ``OptionError`` that names the size, the clip and what would do.
    package static func check(_ sizes: [PictureSize], of clip: ClipFacts) throws(OptionError) {
        let own = clip.size
        for size in sizes {
            guard size.width <= own.width, size.height <= own.height else {
                throw OptionError(
                    .outOfRange, "--sizes \(size.text): \(clip.name) has \(own.text), expected that or less")
            }
            guard hasShape(size, of: own) else {
                let example = fitting(size, own).map { ", expected such as " + $0.text } ?? ""
                throw OptionError(
                    .outOfRange, "--sizes \(size.text): has another shape than \(own.text) of \(clip.name)\(example)")
            }
        }
    }

    private static func hasShape(_ size: PictureSize, of own: PictureSize) -> Bool {
        let shape = Double(size.width) / Double(size.height) / (Double(own.width) / Double(own.height))
        return abs(shape - 1) <= shapeTolerance
    }

    /// A size of a clip's shape in place of one of another: of the same width, or else the smallest that is usual; nil
    /// where even sides do not have the shape.
    private static func fitting(_ size: PictureSize, _ own: PictureSize) -> PictureSize? {
        let height = even(own.height, Double(size.width) / Double(own.width))
        return ([PictureSize(width: size.width, height: height)] + usual(for: own).reversed()).first {
            $0.width % 2 == 0 && $0.height % 2 == 0 && $0.height <= own.height && hasShape($0, of: own)
        }
    }
}

extension PictureSize {
    /// "1280x720".
    package var text: String { "\(width)x\(height)" }

    /// Luma samples.
    package var samples: Int { width * height }
}
