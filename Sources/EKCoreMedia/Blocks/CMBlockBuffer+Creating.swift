// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    /// Makes a buffer of memory that is there, or of new memory.
    ///
    /// - Parameters:
    ///   - structureAllocator: Ignored.
    ///   - memoryBlock: The memory; nil for new memory of undefined values.
    ///   - blockLength: Bytes of the memory.
    ///   - blockAllocator: `kCFAllocatorNull` leaves the memory to the caller, who keeps it as long as the buffer;
    ///     with any other it was `malloc`'s, and is freed with the buffer.
    ///   - customBlockSource: nil; others are refused.
    ///   - offsetToData: Where in the memory the buffer's bytes begin.
    ///   - dataLength: Number of the buffer's bytes.
    ///   - flags: Mean nothing here.
    ///   - blockBufferOut: Takes the buffer, which the caller owns; nil where the call fails, and then the memory
    ///     stays the caller's.
    /// - Returns: -12702 for a custom source, -12703, -12704 for a part outside the memory, -12701 without memory.
    @discardableResult
    public func CMBlockBufferCreateWithMemoryBlock(
        allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
        blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
        offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
        blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
    ) -> OSStatus {
        blockBufferOut.pointee = nil
        guard customBlockSource == nil else { return kCMBlockBufferBadCustomBlockSourceErr }
        guard blockLength >= 0 else { return kCMBlockBufferBadLengthParameterErr }
        guard 0...blockLength ~= offsetToData else { return kCMBlockBufferBadOffsetParameterErr }
        guard 0...blockLength - offsetToData ~= dataLength else { return kCMBlockBufferBadLengthParameterErr }
        guard let memoryBlock else {
            guard let whole = CMBlockBuffer(byteCount: blockLength) else {
                return kCMBlockBufferBlockAllocationFailedErr
            }
            blockBufferOut.pointee =
                dataLength == blockLength
                ? whole : CMBlockBuffer(base: whole.base + offsetToData, length: dataLength, owner: .object(whole))
            return kCMBlockBufferNoErr
        }
        blockBufferOut.pointee = CMBlockBuffer(
            base: memoryBlock + offsetToData, length: dataLength,
            owner: blockAllocator === kCFAllocatorNull ? .caller : .block(memoryBlock))
        return kCMBlockBufferNoErr
    }

    /// Makes a buffer of a part of another's bytes, which it shares and holds.
    ///
    /// - Parameters:
    ///   - structureAllocator: Ignored.
    ///   - bufferReference: The other buffer.
    ///   - offsetToData: Where the part begins.
    ///   - dataLength: Its number of bytes.
    ///   - flags: Mean nothing here.
    ///   - blockBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: -12703, -12704 for a part outside the other's bytes.
    @discardableResult
    public func CMBlockBufferCreateWithBufferReference(
        allocator structureAllocator: CFAllocator?, referenceBuffer bufferReference: CMBlockBuffer, offsetToData: Int,
        dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
    ) -> OSStatus {
        blockBufferOut.pointee = nil
        let status = bufferReference.check(offsetToData, dataLength)
        guard status == kCMBlockBufferNoErr else { return status }
        blockBufferOut.pointee = CMBlockBuffer(
            base: bufferReference.base + offsetToData, length: dataLength, owner: .object(bufferReference))
        return status
    }

    /// Makes a buffer of a part of another's bytes: one that shares them, or with
    /// ``kCMBlockBufferAlwaysCopyDataFlag`` a copy.
    ///
    /// - Parameters:
    ///   - structureAllocator: Ignored.
    ///   - sourceBuffer: The other buffer.
    ///   - blockAllocator: Ignored.
    ///   - customBlockSource: nil; others are refused.
    ///   - offsetToData: Where the part begins.
    ///   - dataLength: Its number of bytes; 0 for all from there on.
    ///   - flags: ``kCMBlockBufferAlwaysCopyDataFlag`` or 0.
    ///   - blockBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: As `CMBlockBufferCreateWithMemoryBlock`.
    @discardableResult
    public func CMBlockBufferCreateContiguous(
        allocator structureAllocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
        customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
        flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
    ) -> OSStatus {
        blockBufferOut.pointee = nil
        guard customBlockSource == nil else { return kCMBlockBufferBadCustomBlockSourceErr }
        guard 0...sourceBuffer.length ~= offsetToData else { return kCMBlockBufferBadOffsetParameterErr }
        let count = dataLength == 0 ? sourceBuffer.length - offsetToData : dataLength
        var part: CMBlockBuffer?
        let status = CMBlockBufferCreateWithBufferReference(
            allocator: nil, referenceBuffer: sourceBuffer, offsetToData: offsetToData, dataLength: count, flags: 0,
            blockBufferOut: &part)
        guard let part else { return status }
        guard flags & kCMBlockBufferAlwaysCopyDataFlag != 0 else {
            blockBufferOut.pointee = part
            return kCMBlockBufferNoErr
        }
        guard let copy = CMBlockBuffer(copying: UnsafeRawBufferPointer(part.bytes)) else {
            return kCMBlockBufferBlockAllocationFailedErr
        }
        blockBufferOut.pointee = copy
        return kCMBlockBufferNoErr
    }

    /// Makes a buffer without bytes; none can be appended, since a buffer here is one piece of memory.
    ///
    /// - Parameters:
    ///   - structureAllocator: Ignored.
    ///   - capacity: Ignored.
    ///   - flags: Mean nothing here.
    ///   - blockBufferOut: Takes the buffer, which the caller owns.
    /// - Returns: -12700 without memory.
    @discardableResult
    public func CMBlockBufferCreateEmpty(
        allocator structureAllocator: CFAllocator?, capacity: UInt32, flags: CMBlockBufferFlags,
        blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
    ) -> OSStatus {
        blockBufferOut.pointee = CMBlockBuffer(byteCount: 0)
        return blockBufferOut.pointee == nil ? kCMBlockBufferStructureAllocationFailedErr : kCMBlockBufferNoErr
    }
#endif
