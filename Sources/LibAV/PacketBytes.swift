// SPDX-License-Identifier: MIT

import ParameterSets

/// The bytes of one packet, which never change: an array, or memory that libavformat read them into.
///
/// Copies share the memory.
package struct PacketBytes: Sendable {
    private enum Storage: Sendable {
        case array([UInt8])
        case buffer(LibAVBuffer)
    }

    private let storage: Storage
    private let range: Range<Int>

    /// The bytes of an array, which is shared.
    package init(_ array: [UInt8]) { self.init(.array(array), array.indices) }

    /// The bytes of memory that libavformat read them into.
    init(_ buffer: LibAVBuffer) { self.init(.buffer(buffer), 0..<buffer.bytes.count) }

    private init(_ storage: Storage, _ range: Range<Int>) { (self.storage, self.range) = (storage, range) }

    /// All but the first bytes, in the same memory.
    ///
    /// - Parameter count: How many are left out, no more than there are.
    /// - Returns: The others, numbered from 0 on.
    package func leavingOut(first count: Int) -> PacketBytes {
        PacketBytes(storage, range.lowerBound + count..<range.upperBound)
    }
}

extension PacketBytes: ByteView {
    package var count: Int { range.count }

    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .array(let array): return try body(array.span.extracting(range))
        case .buffer(let buffer):
            // The buffer lives as long as this value.
            return try body(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[range])))
        }
    }

    /// The bytes as an array: that which they were made of, or else a copy.
    package func array(first wanted: Int) -> [UInt8] {
        if case .array(let array) = storage, array.count == range.count { return array }
        return withSpan { span in span.extracting(first: wanted).withUnsafeBufferPointer { Array($0) } }
    }
}

extension PacketBytes: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { range.count }

    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < range.count, "byte \(index) of \(range.count)")
        return switch storage {
        case .array(let array): array[range.lowerBound + index]
        case .buffer(let buffer): buffer.bytes[range.lowerBound + index]
        }
    }

    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try withSpan { try $0.withUnsafeBufferPointer(body) }
    }
}

extension PacketBytes: Hashable {
    package static func == (left: PacketBytes, right: PacketBytes) -> Bool { left.elementsEqual(right) }

    package func hash(into hasher: inout Hasher) {
        withSpan { $0.withUnsafeBufferPointer { hasher.combine(bytes: UnsafeRawBufferPointer($0)) } }
    }
}
