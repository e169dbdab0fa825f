// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EncoderAPI

    extension CVBuffer {
        /// The picture for a session, without a copy: it holds the buffer until the encoder has read it.
        ///
        /// - Parameter part: Columns and rows of the picture that are meant; nil for all. It begins at even places.
        /// - Returns: A picture that tells no color.
        /// - Throws: `EncoderError` as for pictures that are wrapped.
        package func pixelBuffer(
            part: (x: Int, y: Int, width: Int, height: Int)? = nil
        ) throws(EncoderError) -> PixelBuffer {
            guard let format = PixelFormat(cvPixelFormatType: pixelFormatType) else {
                throw EncoderError(
                    .unsupportedPixelFormat, reason: "a buffer of format \(pixelFormatType), which no session takes")
            }
            let part = part ?? (0, 0, width, height)
            let layout = try PlaneLayout(format, width: part.width, height: part.height)
            var wrapped: [PixelBuffer.WrappedPlane] = []
            for (index, plane) in planes.enumerated() {
                let rowsAbove = index > 0 && format.isFourTwoZero ? part.y / 2 : part.y
                let start = plane.base + rowsAbove * plane.bytesPerRow + format.rowBytes(plane: index, width: part.x)
                let byteCount = (layout[index].rows - 1) * plane.bytesPerRow + layout[index].rowBytes
                wrapped.append(
                    PixelBuffer.WrappedPlane(
                        bytes: UnsafeRawBufferPointer(start: start, count: byteCount), bytesPerRow: plane.bytesPerRow))
            }
            let holder = Holder(buffer: self)
            return try PixelBuffer(
                wrapping: wrapped, format: format, width: part.width, height: part.height, owner: holder)
        }

        /// Holds a buffer whose samples are read elsewhere.
        private final class Holder: @unchecked Sendable {
            // Unchecked: the buffer is only held, and released on whatever thread.
            let buffer: CVBuffer
            init(buffer: CVBuffer) { self.buffer = buffer }
        }
    }
#endif
