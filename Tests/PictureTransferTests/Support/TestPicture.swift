// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer
import TestSupport

/// Pictures of random samples, and what is in those that come out.
enum TestPicture {
    /// A picture of random samples whose rows are `padding` bytes longer than what they hold.
    static func random(
        _ format: PixelFormat, _ width: Int, _ height: Int, padding: Int = 0, color: ColorDescription? = nil,
        using generator: inout SeededGenerator
    ) throws -> PixelBuffer {
        try picture(format, width, height, padding: padding, color: color) { _ in
            UInt8(truncatingIfNeeded: generator.next())
        }
    }

    /// A picture whose bytes a closure makes, which is told their place in all planes.
    static func picture(
        _ format: PixelFormat, _ width: Int, _ height: Int, padding: Int = 0, color: ColorDescription? = nil,
        byte: (Int) -> UInt8
    ) throws -> PixelBuffer {
        let strides = (0..<format.planeCount).map { format.rowBytes(plane: $0, width: width) + padding }
        let counts = (0..<format.planeCount).map { strides[$0] * format.rows(plane: $0, height: height) }
        // Unsafe: the memory is written before it is shared, and freed by the last holder.
        nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: counts.reduce(0, +) + 1, alignment: 1)
        for index in memory.indices { memory[index] = byte(index) }
        // One byte behind the allocation's start, so that nothing is aligned.
        var place = 1
        let planes = zip(counts, strides).map { count, stride in
            defer { place += count }
            return PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(rebasing: memory[place..<place + count]), bytesPerRow: stride)
        }
        return try PixelBuffer(wrapping: planes, format: format, width: width, height: height, color: color) {
            memory.deallocate()
        }
    }

    /// What a transfer makes of a picture.
    static func transferred(
        _ picture: PixelBuffer, to format: PixelFormat = .nv12, _ width: Int? = nil, _ height: Int? = nil,
        color: ColorDescription? = .bt709, _ options: PixelTransferOptions = PixelTransferOptions()
    ) throws -> PixelBuffer {
        var target = try MutablePixelBuffer(
            format: format, width: width ?? picture.width, height: height ?? picture.height)
        target.color = color
        try PixelTransferSession(options).transfer(picture, to: &target)
        return PixelBuffer(target)
    }
}

extension PixelBuffer {
    /// The samples of Y, Cb or Cr of an eight-bit 4:2:0 picture, row by row.
    func samples(_ component: Int) -> [[UInt8]] {
        let interleaved = format.isBiplanar && component > 0
        let columns = component == 0 ? width : (width + 1) / 2
        return withPlane(interleaved ? 1 : component) { bytes, stride in
            (0..<(component == 0 ? height : (height + 1) / 2)).map { row in
                (0..<columns).map { bytes[row * stride + (interleaved ? 2 * $0 + component - 1 : $0)] }
            }
        }
    }

    /// Red, green and blue of a pixel.
    func pixel(_ column: Int, _ row: Int) -> [Double] {
        let places: [PixelFormat: [Int]] = [
            .bgra: [2, 1, 0], .rgba: [0, 1, 2], .argb: [1, 2, 3], .rgb24: [0, 1, 2],
        ]
        let size = format == .rgb24 ? 3 : 4
        return withPlane(0) { bytes, stride in
            (places[format] ?? []).map { Double(bytes[row * stride + column * size + $0]) }
        }
    }
}
