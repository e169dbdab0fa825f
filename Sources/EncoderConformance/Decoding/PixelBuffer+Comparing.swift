// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension PixelBuffer {
    /// What a sample tells of a picture in 4:2:0.
    enum Component: Int, CaseIterable {
        case luma, cb, cr
    }

    /// The mean squared difference of the samples of a component that both pictures have, on the scale of eight bits,
    /// in all rows or in those that some rows of luma cover.
    func meanSquaredError(
        to other: PixelBuffer, in component: Component = .luma, rows wanted: Range<Int>? = nil
    ) -> Double {
        let step = component == .luma ? 1 : 2
        let columns = (min(width, other.width) + step - 1) / step
        let rows =
            wanted.map { $0.lowerBound / step..<$0.upperBound / step }
            ?? 0..<(min(height, other.height) + step - 1) / step
        let (left, right) = (Samples(of: self, component), Samples(of: other, component))
        var sum = 0.0
        for row in rows {
            for column in 0..<columns {
                let difference = left[column, row] - right[column, row]
                sum += difference * difference
            }
        }
        return sum / Double(columns * rows.count)
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

    /// The samples of one component of a picture, on the scale of eight bits.
    private struct Samples {
        private let picture: PixelBuffer
        private let base: UnsafeRawPointer
        private let bytesPerRow: Int
        /// Bytes from one sample to the next.
        private let step: Int
        private let scale: Double
        private let isWide: Bool

        init(of picture: PixelBuffer, _ component: Component) {
            let format = picture.format
            let isPaired = component != .luma && format.isBiplanar
            let plane = isPaired ? 1 : component.rawValue
            self.picture = picture
            isWide = format.bytesPerSample == 2
            base = picture.unsafeAddress(plane: plane) + (isPaired && component == .cr ? format.bytesPerSample : 0)
            bytesPerRow = picture.bytesPerRow(plane: plane)
            step = format.bytesPerSample * (isPaired ? 2 : 1)
            scale = Double(1 << format.sampleShift)
        }

        subscript(column: Int, row: Int) -> Double {
            let offset = row * bytesPerRow + column * step
            return isWide
                ? Double(base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) / scale
                : Double(base.load(fromByteOffset: offset, as: UInt8.self))
        }
    }
}
