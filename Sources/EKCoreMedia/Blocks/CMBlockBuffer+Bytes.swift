// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    /// Number of bytes.
    public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.length }

    /// Whether there are no bytes.
    public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.length == 0 }

    /// Whether a part lies in the bytes, which are one piece of memory; a length of 0 means all from the offset on.
    public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
        theBuffer.check(offset, length) == kCMBlockBufferNoErr
    }

    /// Does nothing: the memory is there.
    ///
    /// - Parameter theBuffer: The buffer.
    /// - Returns: 0.
    @discardableResult
    public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus { kCMBlockBufferNoErr }

    /// Where the bytes are, which may be written to; they stay there as long as the buffer.
    ///
    /// - Parameters:
    ///   - theBuffer: The buffer.
    ///   - atOffset: The first byte that is meant.
    ///   - lengthAtOffsetOut: Takes the number of bytes from there on; nil asks for nothing, as with the others.
    ///   - totalLengthOut: Takes the number of all bytes.
    ///   - dataPointerOut: Takes the address of the byte at the offset.
    /// - Returns: -12706 of a buffer without bytes, -12703 for an offset at or behind the end.
    @discardableResult
    public func CMBlockBufferGetDataPointer(
        _ theBuffer: CMBlockBuffer, atOffset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
        totalLengthOut: UnsafeMutablePointer<Int>?,
        dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>?
    ) -> OSStatus {
        guard theBuffer.length > 0 else { return kCMBlockBufferEmptyBBufErr }
        guard 0..<theBuffer.length ~= atOffset else { return kCMBlockBufferBadOffsetParameterErr }
        lengthAtOffsetOut?.pointee = theBuffer.length - atOffset
        totalLengthOut?.pointee = theBuffer.length
        dataPointerOut?.pointee = (theBuffer.base + atOffset).assumingMemoryBound(to: Int8.self)
        return kCMBlockBufferNoErr
    }

    /// Copies bytes out.
    ///
    /// - Parameters:
    ///   - theSourceBuffer: The buffer.
    ///   - offsetToData: The first byte.
    ///   - dataLength: How many.
    ///   - destination: Room for them.
    /// - Returns: -12703, -12704 for a part outside the bytes; nothing is written then.
    @discardableResult
    public func CMBlockBufferCopyDataBytes(
        _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
        destination: UnsafeMutableRawPointer
    ) -> OSStatus {
        let status = theSourceBuffer.check(offsetToData, dataLength)
        guard status == kCMBlockBufferNoErr else { return status }
        destination.copyMemory(from: theSourceBuffer.base + offsetToData, byteCount: dataLength)
        return status
    }

    /// Writes bytes in.
    ///
    /// - Parameters:
    ///   - sourceBytes: The bytes.
    ///   - destinationBuffer: The buffer.
    ///   - offsetIntoDestination: Where the first of them goes.
    ///   - dataLength: How many.
    /// - Returns: As ``CMBlockBufferCopyDataBytes(_:atOffset:dataLength:destination:)``.
    @discardableResult
    public func CMBlockBufferReplaceDataBytes(
        with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
        dataLength: Int
    ) -> OSStatus {
        let status = destinationBuffer.check(offsetIntoDestination, dataLength)
        guard status == kCMBlockBufferNoErr else { return status }
        (destinationBuffer.base + offsetIntoDestination).copyMemory(from: sourceBytes, byteCount: dataLength)
        return status
    }

    /// Gives bytes one value.
    ///
    /// - Parameters:
    ///   - fillByte: The value, as C's `char`.
    ///   - destinationBuffer: The buffer.
    ///   - offsetIntoDestination: The first byte.
    ///   - dataLength: How many; 0 for all from there on.
    /// - Returns: As ``CMBlockBufferCopyDataBytes(_:atOffset:dataLength:destination:)``.
    @discardableResult
    public func CMBlockBufferFillDataBytes(
        with fillByte: Int8, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
    ) -> OSStatus {
        let status = destinationBuffer.check(offsetIntoDestination, dataLength)
        guard status == kCMBlockBufferNoErr else { return status }
        let count = dataLength == 0 ? destinationBuffer.length - offsetIntoDestination : dataLength
        (destinationBuffer.base + offsetIntoDestination)
            .initializeMemory(as: UInt8.self, repeating: UInt8(bitPattern: fillByte), count: count)
        return status
    }

    /// Where bytes are: in the buffer itself, since they are one piece of memory.
    ///
    /// - Parameters:
    ///   - theBuffer: The buffer.
    ///   - offset: The first byte.
    ///   - length: How many.
    ///   - temporaryBlock: Not used.
    ///   - returnedPointerOut: Takes the address.
    /// - Returns: As ``CMBlockBufferCopyDataBytes(_:atOffset:dataLength:destination:)``.
    @discardableResult
    public func CMBlockBufferAccessDataBytes(
        _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int, temporaryBlock: UnsafeMutableRawPointer,
        returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>
    ) -> OSStatus {
        let status = theBuffer.check(offset, length)
        guard status == kCMBlockBufferNoErr else { return status }
        returnedPointerOut.pointee = (theBuffer.base + offset).assumingMemoryBound(to: Int8.self)
        return status
    }

    /// The number of the type of block buffers.
    public func CMBlockBufferGetTypeID() -> CFTypeID { CMBlockBuffer.cfTypeID }

    // MARK: - Swift's names

    extension CMBlockBuffer {
        /// Number of bytes.
        public var dataLength: Int { length }
        /// Whether there are no bytes.
        public var isEmpty: Bool { length == 0 }
        /// Whether the bytes are one piece of memory: always.
        public var isContiguous: Bool { true }

        /// A copy of the bytes.
        ///
        /// - Throws: Nothing; declared for callers' `try`.
        public func dataBytes() throws -> Data { Data(UnsafeRawBufferPointer(bytes)) }

        /// Gives `body` the bytes from an offset on, to read and write.
        ///
        /// - Parameters:
        ///   - offset: The first byte; traps outside the bytes.
        ///   - body: Must not let the pointer escape.
        /// - Returns: What `body` returns.
        /// - Throws: What `body` throws.
        public func withUnsafeMutableBytes<R>(
            atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
        ) rethrows -> R {
            precondition(0...length ~= offset, "offset \(offset), expected 0...\(length)")
            return try body(UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
        }

        /// Gives `body` the bytes to read.
        ///
        /// - Parameter body: Must not let the pointer escape.
        /// - Returns: What `body` returns.
        /// - Throws: What `body` throws.
        public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
#endif
