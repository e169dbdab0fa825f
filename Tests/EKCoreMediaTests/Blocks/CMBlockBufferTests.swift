// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import Foundation
    import TestSupport
    import Testing

    @Suite struct CMBlockBufferTests {
        private func buffer(_ bytes: [UInt8]) throws -> CMBlockBuffer {
            var buffer: CMBlockBuffer?
            let status = CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil, customBlockSource: nil,
                offsetToData: 0, dataLength: bytes.count, flags: kCMBlockBufferAssureMemoryNowFlag,
                blockBufferOut: &buffer)
            #expect(status == kCMBlockBufferNoErr)
            let made = try #require(buffer)
            if !bytes.isEmpty {
                let written = CMBlockBufferReplaceDataBytes(
                    with: bytes, blockBuffer: made, offsetIntoDestination: 0, dataLength: bytes.count)
                #expect(written == noErr)
            }
            return made
        }

        @Test("each offset and length in the bytes is copied, each other refused with nothing written")
        func everyPart() throws {
            let bytes = (0..<20).map { UInt8($0) }
            let buffer = try buffer(bytes)
            for offset in -2...22 {
                for length in -2...22 {
                    var room = [UInt8](repeating: 99, count: 32)
                    let status = CMBlockBufferCopyDataBytes(
                        buffer, atOffset: offset, dataLength: length, destination: &room)
                    if 0...20 ~= offset, 0...20 - offset ~= length {
                        #expect(status == noErr)
                        #expect(Array(room[..<length]) == Array(bytes[offset..<offset + length]))
                        #expect(room[length...].allSatisfy { $0 == 99 })
                    } else {
                        let expected =
                            0...20 ~= offset
                            ? kCMBlockBufferBadLengthParameterErr : kCMBlockBufferBadOffsetParameterErr
                        #expect(status == expected)
                        #expect(room.allSatisfy { $0 == 99 })
                    }
                    let isIn = CMBlockBufferIsRangeContiguous(buffer, atOffset: offset, length: length)
                    #expect(isIn == (status == noErr))
                }
            }
        }

        @Test("extreme offsets and lengths do not overflow", arguments: [Int.max, .min, .max - 1])
        func extremes(number: Int) throws {
            let buffer = try buffer([1, 2, 3])
            var byte: UInt8 = 0
            #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: number, dataLength: 1, destination: &byte) != noErr)
            #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: 1, dataLength: number, destination: &byte) != noErr)
            #expect(
                CMBlockBufferCopyDataBytes(buffer, atOffset: number, dataLength: number, destination: &byte) != noErr)
            var other: CMBlockBuffer?
            #expect(
                CMBlockBufferCreateWithBufferReference(
                    allocator: nil, referenceBuffer: buffer, offsetToData: 1, dataLength: number, flags: 0,
                    blockBufferOut: &other) == kCMBlockBufferBadLengthParameterErr)
            #expect(other == nil)
        }

        @Test("the pointer at each offset leads to that byte, and what is written through it shows")
        func pointers() throws {
            let buffer = try buffer([0, 0, 0, 3, 7, 8, 9])
            for offset in 0..<7 {
                var (length, total, pointer) = (0, 0, UnsafeMutablePointer<Int8>?.none)
                let status = CMBlockBufferGetDataPointer(
                    buffer, atOffset: offset, lengthAtOffsetOut: &length, totalLengthOut: &total,
                    dataPointerOut: &pointer)
                #expect((status, length, total) == (noErr, 7 - offset, 7))
                pointer?.pointee = -1
            }
            #expect(try buffer.dataBytes() == Data(repeating: 255, count: 7))
            for offset in [-1, 7, Int.max] {
                let status = CMBlockBufferGetDataPointer(
                    buffer, atOffset: offset, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
                #expect(status == kCMBlockBufferBadOffsetParameterErr)
            }
            #expect(
                CMBlockBufferGetDataPointer(
                    try self.buffer([]), atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
                    == kCMBlockBufferEmptyBBufErr)
        }

        @Test("memory is used where it is, and freed or left as the allocator says")
        func ownership() throws {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
            defer { memory.deallocate() }
            var buffer: CMBlockBuffer?
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: memory, blockLength: 16, blockAllocator: kCFAllocatorNull,
                customBlockSource: nil, offsetToData: 4, dataLength: 8, flags: 0, blockBufferOut: &buffer)
            #expect(buffer?.dataLength == 8)
            #expect(buffer?.withUnsafeMutableBytes { $0.baseAddress } == memory + 4)
            buffer = nil
            memory.storeBytes(of: 1, as: UInt8.self)
            // Freed with the buffer: the address sanitizer tells where it is not, or twice.
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: malloc(16), blockLength: 16, blockAllocator: kCFAllocatorMalloc,
                customBlockSource: nil, offsetToData: 4, dataLength: 8, flags: 0, blockBufferOut: &buffer)
            #expect(buffer?.isContiguous == true)
        }

        @Test("parts share the bytes and hold them, copies do not")
        func parts() throws {
            var whole: CMBlockBuffer? = try buffer([1, 2, 3, 4])
            var (part, copy) = (CMBlockBuffer?.none, CMBlockBuffer?.none)
            let source = try #require(whole)
            CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: source, blockAllocator: nil, customBlockSource: nil, offsetToData: 1,
                dataLength: 0, flags: 0, blockBufferOut: &part)
            CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: source, blockAllocator: nil, customBlockSource: nil, offsetToData: 1,
                dataLength: 2, flags: kCMBlockBufferAlwaysCopyDataFlag, blockBufferOut: &copy)
            CMBlockBufferFillDataBytes(with: 9, blockBuffer: source, offsetIntoDestination: 0, dataLength: 0)
            whole = nil
            #expect(try part?.dataBytes() == Data([9, 9, 9]))
            #expect(try copy?.dataBytes() == Data([2, 3]))
        }

        @Test("a custom source, negative lengths and parts outside are refused")
        func refusals() {
            var source = CMBlockBufferCustomBlockSource()
            let rows: [(Int, Int, Int, OSStatus)] = [
                (-1, 0, 0, kCMBlockBufferBadLengthParameterErr), (4, 5, 0, kCMBlockBufferBadOffsetParameterErr),
                (4, -1, 1, kCMBlockBufferBadOffsetParameterErr), (4, 2, 3, kCMBlockBufferBadLengthParameterErr),
                (4, 2, -1, kCMBlockBufferBadLengthParameterErr),
                (Int.max, 0, Int.max, kCMBlockBufferBlockAllocationFailedErr),
            ]
            for (length, offset, count, expected) in rows {
                var buffer: CMBlockBuffer?
                let status = CMBlockBufferCreateWithMemoryBlock(
                    allocator: nil, memoryBlock: nil, blockLength: length, blockAllocator: nil, customBlockSource: nil,
                    offsetToData: offset, dataLength: count, flags: 0, blockBufferOut: &buffer)
                #expect((status, buffer) == (expected, nil))
            }
            var buffer: CMBlockBuffer?
            let status = CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 4, blockAllocator: nil, customBlockSource: &source,
                offsetToData: 0, dataLength: 4, flags: 0, blockBufferOut: &buffer)
            #expect((status, buffer) == (kCMBlockBufferBadCustomBlockSourceErr, nil))
        }
    }
#endif
