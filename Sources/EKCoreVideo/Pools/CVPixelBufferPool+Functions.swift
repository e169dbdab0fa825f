// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    import EncoderAPI
    public import Foundation

    /// What a pool frees.
    public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt64

        /// Takes bits as they are.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// All memory that waits, whatever its age.
        public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
    }

    /// Makes a pool.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - poolAttributes: ``kCVPixelBufferPoolMinimumBufferCountKey`` and ``kCVPixelBufferPoolMaximumBufferAgeKey``
    ///     in seconds, 0 for any age and 1 by default; others are not looked at.
    ///   - pixelBufferAttributes: ``kCVPixelBufferWidthKey``, ``kCVPixelBufferHeightKey`` and
    ///     ``kCVPixelBufferPixelFormatTypeKey``, a number or a list whose first known format counts;
    ///     ``kCVPixelBufferBytesPerRowAlignmentKey`` as for a buffer.
    ///   - poolOut: Takes the pool, which the caller owns; nil where the call fails.
    /// - Returns: ``kCVReturnInvalidPixelBufferAttributes`` without width, height or format, and what
    ///   ``CVPixelBufferCreate(_:_:_:_:_:_:)`` answers for wrong ones.
    @discardableResult
    public func CVPixelBufferPoolCreate(
        _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
        _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
    ) -> CVReturn {
        poolOut.pointee = nil
        guard let attributes = pixelBufferAttributes,
            let width: Int = attributes.number(String(describing: kCVPixelBufferWidthKey))?.clamped(),
            let height: Int = attributes.number(String(describing: kCVPixelBufferHeightKey))?.clamped(),
            let code = attributes.pixelFormatTypes.first(where: { PixelFormat(cvPixelFormatType: $0) != nil })
                ?? attributes.pixelFormatTypes.first
        else { return kCVReturnInvalidPixelBufferAttributes }
        switch BufferLayout.make(code, width, height, attributes) {
        case .failure(let error): return error.status
        case .success(let layout):
            poolOut.pointee = CVPixelBufferPool(
                layout, attributes: poolAttributes ?? NSDictionary(), pixelBufferAttributes: attributes)
            return kCVReturnSuccess
        }
    }

    /// Makes a buffer of a pool.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - pixelBufferPool: The pool.
    ///   - pixelBufferOut: Takes the buffer, which the caller owns; its samples are undefined. nil where the call
    ///     fails.
    /// - Returns: ``kCVReturnPoolAllocationFailed`` without memory.
    @discardableResult
    public func CVPixelBufferPoolCreatePixelBuffer(
        _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
        _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
    }

    /// Makes a buffer of a pool while there are not too many.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - pixelBufferPool: The pool.
    ///   - auxAttributes: ``kCVPixelBufferPoolAllocationThresholdKey`` is the number of buffers, in use and waiting,
    ///     that the pool does not exceed.
    ///   - pixelBufferOut: As for ``CVPixelBufferPoolCreatePixelBuffer(_:_:_:)``.
    /// - Returns: ``kCVReturnWouldExceedAllocationThreshold`` where as many are in use, else as for
    ///   ``CVPixelBufferPoolCreatePixelBuffer(_:_:_:)``.
    @discardableResult
    public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
        _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
        _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        pixelBufferOut.pointee = nil
        let threshold = auxAttributes?.number(String(describing: kCVPixelBufferPoolAllocationThresholdKey))
        switch pixelBufferPool.makeBuffer(threshold: threshold?.clamped()) {
        case .failure(let error): return error.status
        case .success(let buffer):
            pixelBufferOut.pointee = buffer
            return kCVReturnSuccess
        }
    }

    /// What a pool was made with.
    public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }

    /// What the pool's buffers are like.
    public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
        pool.pixelBufferAttributes
    }

    /// Frees memory that waits: what waits for too long, or all with
    /// ``CVPixelBufferPoolFlushFlags/excessBuffers``.
    public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
        pool.flush(all: options.contains(.excessBuffers))
    }

    /// The number of the type of pools.
    public func CVPixelBufferPoolGetTypeID() -> CFTypeID { CVPixelBufferPool.cfTypeID }

    extension NSDictionary {
        /// The formats that attributes of buffers name: one, or several in order of preference.
        package var pixelFormatTypes: [OSType] {
            switch object(String(describing: kCVPixelBufferPixelFormatTypeKey)) {
            case let number as NSNumber: [number.clamped()]
            case let list as NSArray: list.compactMap { ($0 as? NSNumber)?.clamped() }
            default: []
            }
        }
    }
#endif
