// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    /// What a lock is for.
    public struct CVPixelBufferLockFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt64

        /// Takes bits as they are.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// For reading alone.
        public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
    }

    /// For reading alone.
    public let kCVPixelBufferLock_ReadOnly = CVPixelBufferLockFlags.readOnly

    /// Locks a buffer's memory; each lock takes one ``CVPixelBufferUnlockBaseAddress(_:_:)``.
    ///
    /// Memory here stays where it is, locked or not: the call counts.
    ///
    /// - Parameters:
    ///   - pixelBuffer: The buffer.
    ///   - lockFlags: What it is for; means nothing here.
    /// - Returns: ``kCVReturnSuccess``.
    @discardableResult
    public func CVPixelBufferLockBaseAddress(
        _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
    ) -> CVReturn { pixelBuffer.lock(true) ? kCVReturnSuccess : kCVReturnError }

    /// Takes one lock away.
    ///
    /// - Parameters:
    ///   - pixelBuffer: The buffer.
    ///   - unlockFlags: Those of the lock; mean nothing here.
    /// - Returns: ``kCVReturnInvalidArgument`` where the buffer is not locked.
    @discardableResult
    public func CVPixelBufferUnlockBaseAddress(
        _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
    ) -> CVReturn { pixelBuffer.lock(false) ? kCVReturnSuccess : kCVReturnInvalidArgument }

    /// Columns of the picture.
    public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

    /// Rows of the picture.
    public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

    /// Four characters that name the format.
    public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormatType }

    /// Where a packed picture begins, or the first plane of a planar one; it stays as long as the buffer.
    public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
        pixelBuffer.planes.first?.base
    }

    /// Bytes from row to row of a packed picture, or of the first plane of a planar one.
    public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
        pixelBuffer.planes.first?.bytesPerRow ?? 0
    }

    /// Bytes of all planes, with what lies between rows; of the caller's planes the number that came with them.
    public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.dataSize }

    /// Whether the samples lie in more than one plane.
    public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

    /// Number of planes; 0 for a packed picture.
    public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
        pixelBuffer.isPlanar ? pixelBuffer.planes.count : 0
    }

    /// Where a plane begins, as long as the buffer lives; nil where there is no such plane.
    public func CVPixelBufferGetBaseAddressOfPlane(
        _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
    ) -> UnsafeMutableRawPointer? { pixelBuffer.plane(planeIndex)?.base }

    /// Bytes from row to row of a plane; 0 where there is no such plane.
    public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0
    }

    /// Columns of a plane, Cb and Cr that lie together counted once; 0 where there is no such plane.
    public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        pixelBuffer.plane(planeIndex)?.width ?? 0
    }

    /// Rows of a plane; 0 where there is no such plane.
    public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        pixelBuffer.plane(planeIndex)?.height ?? 0
    }

    /// Columns and rows around the picture that may be read and written: none here, so that all become 0.
    ///
    /// - Parameters:
    ///   - pixelBuffer: The buffer.
    ///   - extraColumnsOnLeft: Takes 0; nil asks for nothing, as with the others.
    ///   - extraColumnsOnRight: Takes 0.
    ///   - extraRowsOnTop: Takes 0.
    ///   - extraRowsOnBottom: Takes 0.
    public func CVPixelBufferGetExtendedPixels(
        _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
        _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
        _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
    ) {
        for room in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] { room?.pointee = 0 }
    }

    /// The number of the type of buffers.
    public func CVPixelBufferGetTypeID() -> CFTypeID { CVBuffer.cfTypeID }

    extension CVBuffer {
        /// A plane, or all of a packed picture as the plane 0.
        func plane(_ index: Int) -> Plane? { planes.indices.contains(index) ? planes[index] : nil }
    }
#endif
