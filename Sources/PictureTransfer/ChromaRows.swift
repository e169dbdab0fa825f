// SPDX-License-Identifier: MIT

/// Means of neighbouring Cb or Cr: halves are rounded up.
enum ChromaRows {
    /// Takes the mean of each two rows; the last of an odd number stays.
    static func halveRows(_ source: Plane, to target: Plane) {
        let width = Int(target.width)
        for row in 0..<Int(target.height) {
            let (top, bottom) = rows(row, of: source)
            let to = target.row(row)
            var column = 0
            while column < width {
                let sum = UInt16(truncatingIfNeeded: top[column]) &+ UInt16(truncatingIfNeeded: bottom[column])
                to[column] = UInt8(truncatingIfNeeded: (sum &+ 1) &>> 1)
                column &+= 1
            }
        }
    }

    /// Takes the mean of each two rows and two columns; at the left column, of half of each column beside it as well.
    static func halve(_ source: Plane, to target: Plane, _ location: PixelTransferOptions.ChromaLocation) {
        let width = Int(source.width)
        for row in 0..<Int(target.height) {
            let (top, bottom) = rows(row, of: source)
            let to = target.row(row)
            func sum(_ column: Int) -> UInt16 {
                let column = min(max(column, 0), width - 1)
                return UInt16(truncatingIfNeeded: top[column]) &+ UInt16(truncatingIfNeeded: bottom[column])
            }
            switch location {
            case .left:
                for column in 0..<Int(target.width) {
                    let middle = 2 &* column
                    let total = sum(middle &- 1) &+ sum(middle) &<< 1 &+ sum(middle &+ 1)
                    to[column] = UInt8(truncatingIfNeeded: (total &+ 4) &>> 3)
                }
            case .center:
                for column in 0..<Int(target.width) {
                    let total = sum(2 &* column) &+ sum(2 &* column &+ 1)
                    to[column] = UInt8(truncatingIfNeeded: (total &+ 2) &>> 2)
                }
            }
        }
    }

    private static func rows(
        _ row: Int, of source: Plane
    ) -> (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) {
        (source.row(2 * row), source.row(min(2 * row + 1, Int(source.height) - 1)))
    }
}
