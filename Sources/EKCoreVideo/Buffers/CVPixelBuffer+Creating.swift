// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    import EncoderAPI
    public import Foundation
    import Glibc

    /// Makes a buffer of undefined samples: rows begin at multiples of 64 bytes and can be read up to the next.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - width: Columns, 1 to 65535.
    ///   - height: Rows, likewise.
    ///   - pixelFormatType: 420v, 420f, y420, f420, x420, xf20, BGRA, RGBA, 32ARGB, 24RGB, yuvs, 2vuy or 422v.
    ///   - pixelBufferAttributes: ``kCVPixelBufferBytesPerRowAlignmentKey`` may ask for coarser rows, a power of two;
    ///     attributes of IOSurface, Metal and OpenGL mean nothing here; the others describe and are not looked at.
    ///   - pixelBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: ``kCVReturnInvalidPixelFormat``, ``kCVReturnInvalidSize``, ``kCVReturnInvalidPixelBufferAttributes``
    ///   or ``kCVReturnAllocationFailed`` where it fails.
    @discardableResult
    public func CVPixelBufferCreate(
        _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
        _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        pixelBufferOut.pointee = nil
        switch BufferLayout.make(pixelFormatType, width, height, pixelBufferAttributes) {
        case .failure(let error): return error.status
        case .success(let layout):
            guard let base = layout.allocate() else { return kCVReturnAllocationFailed }
            pixelBufferOut.pointee = layout.buffer(at: base, of: nil)
            return kCVReturnSuccess
        }
    }

    /// A status as an error.
    struct CVFailure: Error {
        let status: CVReturn
    }

    /// How buffers of one kind lie in a block of memory.
    struct BufferLayout: Sendable {
        let pixelFormatType: OSType
        let format: PixelFormat
        let width: Int
        let height: Int
        /// Offset and distance of rows of each plane.
        private let planes: [(offset: Int, bytesPerRow: Int, rows: Int)]
        let byteCount: Int

        static func make(
            _ code: OSType, _ width: Int, _ height: Int, _ attributes: CFDictionary?
        ) -> Result<BufferLayout, CVFailure> {
            guard let format = PixelFormat(cvPixelFormatType: code) else {
                return .failure(CVFailure(status: kCVReturnInvalidPixelFormat))
            }
            guard let layout = try? PlaneLayout(format, width: width, height: height) else {
                return .failure(CVFailure(status: kCVReturnInvalidSize))
            }
            let asked = attributes?.number(String(describing: kCVPixelBufferBytesPerRowAlignmentKey))
            let alignment: Int = asked?.clamped() ?? 1
            guard 1...1 << 16 ~= alignment, alignment & (alignment - 1) == 0 else {
                return .failure(CVFailure(status: kCVReturnInvalidPixelBufferAttributes))
            }
            return .success(BufferLayout(code, format, width, height, layout, alignment: alignment))
        }

        private init(
            _ code: OSType, _ format: PixelFormat, _ width: Int, _ height: Int, _ layout: PlaneLayout, alignment: Int
        ) {
            (pixelFormatType, self.format, self.width, self.height) = (code, format, width, height)
            var planes: [(offset: Int, bytesPerRow: Int, rows: Int)] = []
            var byteCount = 0
            for index in 0..<layout.count {
                // Both are powers of two, so that the coarser one is a multiple of the other.
                let bytesPerRow = (layout[index].bytesPerRow + alignment - 1) / alignment * alignment
                planes.append((byteCount, bytesPerRow, layout[index].rows))
                byteCount += bytesPerRow * layout[index].rows
            }
            (self.planes, self.byteCount) = (planes, byteCount)
        }

        func allocate() -> UnsafeMutableRawPointer? {
            var base: UnsafeMutableRawPointer?
            return posix_memalign(&base, PlaneLayout.alignment, byteCount) == 0 ? base : nil
        }

        func buffer(at base: UnsafeMutableRawPointer, of pool: CVPixelBufferPool?) -> CVBuffer {
            CVBuffer(
                pixelFormatType, width: width, height: height,
                planes: planes.enumerated().map { index, plane in
                    CVBuffer.Plane(
                        base: base + plane.offset, bytesPerRow: plane.bytesPerRow,
                        width: format.columns(plane: index, width: width), height: plane.rows)
                }, isPlanar: planes.count > 1, dataSize: byteCount, owner: .block(base, pool))
        }
    }
#endif
