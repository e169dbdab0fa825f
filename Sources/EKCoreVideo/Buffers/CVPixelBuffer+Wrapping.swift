// SPDX-License-Identifier: MIT

#if os(Linux)
    public import Foundation
    public import EKCoreFoundation
    import EncoderAPI

    /// Told once, on any thread, when nobody holds a buffer of the caller's bytes any more.
    public typealias CVPixelBufferReleaseBytesCallback =
        @convention(c) (
            _ releaseRefCon: UnsafeMutableRawPointer?, _ baseAddress: UnsafeRawPointer?
        ) -> Void

    /// Told once, on any thread, when nobody holds a buffer of the caller's planes any more.
    ///
    /// The list of addresses is valid during the call.
    public typealias CVPixelBufferReleasePlanarBytesCallback =
        @convention(c) (
            _ releaseRefCon: UnsafeMutableRawPointer?, _ dataPtr: UnsafeRawPointer?, _ dataSize: Int,
            _ numberOfPlanes: Int, _ planeAddresses: UnsafeMutablePointer<UnsafeRawPointer?>?
        ) -> Void

    /// Makes a buffer of the caller's bytes in a packed format, without a copy.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - width: Columns, 1 to 65535.
    ///   - height: Rows, likewise.
    ///   - pixelFormatType: BGRA, RGBA, 32ARGB, 24RGB, yuvs or 2vuy.
    ///   - baseAddress: The first row; the bytes must stay until the callback.
    ///   - bytesPerRow: From row to row, no fewer than a row has.
    ///   - releaseCallback: Told when nobody holds the buffer, nor a session reads it, any more; not told where the
    ///     call fails. nil tells nobody.
    ///   - releaseRefCon: Given to the callback; never looked at.
    ///   - pixelBufferAttributes: Not looked at.
    ///   - pixelBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: ``kCVReturnInvalidPixelFormat``, ``kCVReturnInvalidSize`` or ``kCVReturnInvalidArgument`` where it
    ///   fails.
    @discardableResult
    public func CVPixelBufferCreateWithBytes(
        _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
        _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
        _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
        _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        pixelBufferOut.pointee = nil
        guard let format = PixelFormat(cvPixelFormatType: pixelFormatType), format.planeCount == 1 else {
            return kCVReturnInvalidPixelFormat
        }
        guard let layout = try? PlaneLayout(format, width: width, height: height) else { return kCVReturnInvalidSize }
        guard layout[0].rowBytes...Int(Int32.max) ~= bytesPerRow else { return kCVReturnInvalidArgument }
        let plane = CVBuffer.Plane(base: baseAddress, bytesPerRow: bytesPerRow, width: width, height: height)
        pixelBufferOut.pointee = CVBuffer(
            pixelFormatType, width: width, height: height, planes: [plane], isPlanar: false,
            dataSize: bytesPerRow * height, owner: .caller { releaseCallback?(releaseRefCon, baseAddress) })
        return kCVReturnSuccess
    }

    /// Makes a buffer of the caller's planes, without a copy.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - width: Columns, 1 to 65535.
    ///   - height: Rows, likewise.
    ///   - pixelFormatType: 420v, 420f, y420, f420, x420, xf20 or 422v.
    ///   - dataPtr: Given to the callback; may be nil.
    ///   - dataSize: Given to the callback.
    ///   - numberOfPlanes: As many as the format has.
    ///   - planeBaseAddress: The first row of each plane; the bytes must stay until the callback.
    ///   - planeWidth: Columns of each plane, which must be those of the format; chroma samples that lie together
    ///     count once.
    ///   - planeHeight: Rows of each plane, which must be those of the format.
    ///   - planeBytesPerRow: From row to row, no fewer than a row has.
    ///   - releaseCallback: As for
    ///     ``CVPixelBufferCreateWithBytes(_:_:_:_:_:_:_:_:_:_:)``.
    ///   - releaseRefCon: Given to the callback; never looked at.
    ///   - pixelBufferAttributes: Not looked at.
    ///   - pixelBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: ``kCVReturnInvalidPixelFormat``, ``kCVReturnInvalidSize`` or ``kCVReturnInvalidArgument`` where it
    ///   fails.
    @discardableResult
    public func CVPixelBufferCreateWithPlanarBytes(
        _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
        _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
        _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
        _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
        _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
        _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        pixelBufferOut.pointee = nil
        guard let format = PixelFormat(cvPixelFormatType: pixelFormatType), format.planeCount > 1 else {
            return kCVReturnInvalidPixelFormat
        }
        guard let layout = try? PlaneLayout(format, width: width, height: height) else { return kCVReturnInvalidSize }
        guard numberOfPlanes == layout.count else { return kCVReturnInvalidArgument }
        var planes: [CVBuffer.Plane] = []
        for index in 0..<numberOfPlanes {
            guard let base = planeBaseAddress[index], planeHeight[index] == layout[index].rows,
                planeWidth[index] == format.columns(plane: index, width: width),
                layout[index].rowBytes...Int(Int32.max) ~= planeBytesPerRow[index]
            else { return kCVReturnInvalidArgument }
            planes.append(
                CVBuffer.Plane(
                    base: base, bytesPerRow: planeBytesPerRow[index], width: planeWidth[index],
                    height: planeHeight[index]))
        }
        let addresses = planes.map { UnsafeRawPointer?($0.base) }
        pixelBufferOut.pointee = CVBuffer(
            pixelFormatType, width: width, height: height, planes: planes, isPlanar: true,
            dataSize: max(dataSize, 0),
            owner: .caller {
                var addresses = addresses
                addresses.withUnsafeMutableBufferPointer {
                    releaseCallback?(releaseRefCon, dataPtr, dataSize, numberOfPlanes, $0.baseAddress)
                }
            })
        return kCVReturnSuccess
    }
#endif
