// SPDX-License-Identifier: MIT

/// Bytes in a row that are only looked at: an array, a slice of one, or a span of memory that somebody else owns.
///
/// Nothing that takes a view keeps it longer than the call. A reader keeps bytes: it copies those of a slice or a span,
/// and shares the memory of a whole array.
public protocol ByteView: ~Escapable {
    /// How many bytes there are.
    var count: Int { get }

    /// Hands the bytes to `body`, which they are valid in.
    func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// The bytes as an array: all of them, or no fewer than the first `wanted`.
    func array(first wanted: Int) -> [UInt8]
}

extension ByteView where Self: ~Escapable {
    /// All bytes as an array.
    @inlinable
    public func array() -> [UInt8] { array(first: .max) }
}

extension Array: ByteView where Element == UInt8 {
    /// Hands the array's memory to `body`.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }

    /// The array itself.
    @inlinable
    public func array(first wanted: Int) -> [UInt8] { self }
}

extension ArraySlice: ByteView where Element == UInt8 {
    /// Hands the slice's memory to `body`; its offsets count from 0.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }

    /// A copy.
    @inlinable
    public func array(first wanted: Int) -> [UInt8] { Array(prefix(wanted)) }
}

extension Span: ByteView where Element == UInt8 {
    /// Hands the span itself to `body`.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self)
    }

    /// A copy.
    @inlinable
    public func array(first wanted: Int) -> [UInt8] {
        extracting(first: wanted).withUnsafeBufferPointer { Array($0) }
    }
}
