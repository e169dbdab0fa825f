// SPDX-License-Identifier: MIT

import EncoderAPI

extension PixelBuffer {
    /// The mean squared difference of the luma samples both pictures have, on the scale of eight bits.
    func meanSquaredError(to other: PixelBuffer) -> Double {
        let (columns, rows) = (min(width, other.width), min(height, other.height))
        var sum = 0.0
        for row in 0..<rows {
            for column in 0..<columns {
                let difference = luma(column, row) - other.luma(column, row)
                sum += difference * difference
            }
        }
        return sum / Double(columns * rows)
    }

    /// Whether both show the same luma samples.
    func hasSameLuma(as other: PixelBuffer) -> Bool {
        guard width == other.width, height == other.height, format == other.format else { return false }
        let rowBytes = format.rowBytes(plane: 0, width: width)
        return withPlane(0) { left, leftStride in
            other.withPlane(0) { right, rightStride in
                (0..<height).allSatisfy { row in
                    left[row * leftStride..<row * leftStride + rowBytes]
                        .elementsEqual(right[row * rightStride..<row * rightStride + rowBytes])
                }
            }
        }
    }

    private func luma(_ column: Int, _ row: Int) -> Double {
        let address = unsafeAddress(plane: 0) + row * bytesPerRow(plane: 0)
        guard format.bytesPerSample == 2 else {
            return Double(address.load(fromByteOffset: column, as: UInt8.self))
        }
        let word = address.loadUnaligned(fromByteOffset: column * 2, as: UInt16.self)
        return Double(word) / Double(1 << format.sampleShift)
    }
}
