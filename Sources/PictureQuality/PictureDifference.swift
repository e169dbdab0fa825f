// SPDX-License-Identifier: MIT

package import MediaFiles

/// Luma differences of a part of a picture, made visible: gray where nothing differs, brighter where the second is.
package struct AmplifiedDifference: PlaneComparison {
    package let region: PictureRegion
    /// Steps of gray for one of eight bits.
    package let factor: Int

    package init(region: PictureRegion, factor: Int) {
        self.region = region
        self.factor = factor
    }

    package func compare<Sample>(_ planes: PlanePair<Sample>) -> [UInt8] {
        let shift = (planes.maxValue + 1).trailingZeroBitCount - 8
        var gray: [UInt8] = []
        gray.reserveCapacity(region.width * region.height)
        for y in region.y..<region.y + region.height {
            let (first, second) = (planes.first.row(y), planes.second.row(y))
            for x in region.x..<region.x + region.width {
                let difference = ((Int(second[x]) - Int(first[x])) * factor) >> shift
                gray.append(UInt8(clamping: 128 + difference))
            }
        }
        return gray
    }
}

/// Squared luma differences of a picture, added up block by block.
package struct BlockErrors: PlaneComparison {
    package init() {}

    /// Samples along a side of a block, even; less at the right and lower edges.
    package static let side = 16

    /// The sums, row after row.
    package struct Sums: Equatable {
        var columns: Int
        var values: [Int]
    }

    package func compare<Sample>(_ planes: PlanePair<Sample>) -> Sums {
        let columns = (planes.width + Self.side - 1) / Self.side
        let rows = (planes.height + Self.side - 1) / Self.side
        var sums = Sums(columns: columns, values: [Int](repeating: 0, count: columns * rows))
        for y in 0..<planes.height {
            let (first, second) = (planes.first.row(y), planes.second.row(y))
            for x in 0..<planes.width {
                let difference = Int(second[x]) - Int(first[x])
                sums.values[y / Self.side * columns + x / Self.side] += difference * difference
            }
        }
        return sums
    }
}

extension PictureRegion {
    /// The part of a picture with the largest errors; all of the picture where it has no more samples.
    ///
    /// - Parameters:
    ///   - errors: Sums of the whole picture's blocks, of one or several encodes.
    ///   - width: Of the picture.
    ///   - height: Of the picture.
    ///   - size: Of the part.
    package init(ofLargest errors: [BlockErrors.Sums], width: Int, height: Int, size: (width: Int, height: Int)) {
        self.init(x: 0, y: 0, width: min(width, size.width), height: min(height, size.height))
        if width * height <= size.width * size.height { (self.width, self.height) = (width, height) }
        guard let columns = errors.first?.columns else { return }
        let total = errors.dropFirst().reduce(errors[0].values) { zip($0, $1.values).map { $0 + $1 } }
        let rows = total.count / columns
        let (side, blocksWide) = (BlockErrors.side, (self.width + BlockErrors.side - 1) / BlockErrors.side)
        let blocksHigh = (self.height + side - 1) / side
        var most = -1
        for row in 0...max(0, rows - blocksHigh) {
            for column in 0...max(0, columns - blocksWide) {
                var sum = 0
                for line in row..<min(rows, row + blocksHigh) {
                    for place in column..<min(columns, column + blocksWide) { sum += total[line * columns + place] }
                }
                guard sum > most else { continue }
                most = sum
                // Even, so that chroma samples go with their luma; within the picture at its edges.
                x = min(column * side, width - self.width) / 2 * 2
                y = min(row * side, height - self.height) / 2 * 2
            }
        }
    }
}
