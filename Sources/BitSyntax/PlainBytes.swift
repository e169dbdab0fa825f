// SPDX-License-Identifier: MIT

/// Bytes without emulation prevention, which is passed over while they are read.
///
/// They share the memory of an array; of a slice or a span they are a copy, with emulation prevention.
/// Going forward is cheap; going back behind an emulation prevention byte starts over, so look ahead in a copy.
package struct PlainBytes: Sendable {
    private let bytes: [UInt8]
    /// How many plain bytes there are.
    package let count: Int
    /// The last of them; 0 when there are none.
    let lastByte: UInt8
    /// How many zero bytes follow them, left out of ``count``.
    package let trailingZeros: Int
    /// Plain bytes that have no emulation prevention byte between them.
    private var run: Range<Int>
    /// How many emulation prevention bytes come before ``run``.
    private var skipped = 0

    /// All of `bytes`, which have no emulation prevention.
    init(_ view: some ByteView & ~Escapable) {
        bytes = view.array()
        count = bytes.count
        lastByte = bytes.last ?? 0
        trailingZeros = 0
        run = 0..<bytes.count
    }

    /// A NAL unit's header and RBSP without zero bytes at the end.
    ///
    /// - Parameters:
    ///   - view: The unit without start code or length; zero bytes at its end belong to the byte stream (B.1).
    ///   - limit: How many plain bytes to look for at most.
    package init(nalUnit view: some ByteView & ~Escapable, limit: Int = .max) {
        // At most every third byte is one of emulation prevention.
        let nalUnit = view.array(first: limit < view.count ? limit + limit / 2 + 1 : .max)
        bytes = nalUnit
        let end = Self.end(of: nalUnit, from: 0, to: nalUnit.count)
        var (total, lastNonZero, lastByte) = (0, 0, UInt8(0))
        var start = 0
        var first: Range<Int>?
        while start < end, total < limit {
            let runEnd = Self.runEnd(nalUnit, from: start, to: end)
            let length = min(runEnd - start, limit - total)
            let nonZero = Self.end(of: nalUnit, from: start, to: start + length)
            if nonZero > start {
                (lastNonZero, lastByte) = (total + nonZero - start, nalUnit[nonZero - 1])
            }
            total += length
            first = first ?? 0..<runEnd
            start = runEnd + 1
        }
        count = lastNonZero
        self.lastByte = lastByte
        trailingZeros = total - lastNonZero
        run = first ?? 0..<0
    }

    /// The byte at a plain index, which is less than ``count``.
    package subscript(index: Int) -> UInt8 {
        mutating get {
            if !run.contains(index) {
                moveRun(to: index)
            }
            return bytes[index + skipped]
        }
    }

    /// Appends the bytes at plain indices, all of them less than ``count``, to `copy`.
    mutating func append(_ indices: Range<Int>, to copy: inout [UInt8]) {
        var index = indices.lowerBound
        while index < indices.upperBound {
            if !run.contains(index) {
                moveRun(to: index)
            }
            let end = min(run.upperBound, indices.upperBound)
            copy.append(contentsOf: bytes[index + skipped..<end + skipped])
            index = end
        }
    }

    /// The plain index of the last byte other than zero in a part, all of it less than ``count``.
    mutating func lastNonZero(in indices: Range<Int>) -> Int? {
        var found: Int?
        var index = indices.lowerBound
        while index < indices.upperBound {
            if !run.contains(index) {
                moveRun(to: index)
            }
            let end = min(run.upperBound, indices.upperBound)
            let nonZero = Self.end(of: bytes, from: index + skipped, to: end + skipped) - skipped
            found = nonZero > index ? nonZero - 1 : found
            index = end
        }
        return found
    }

    private mutating func moveRun(to index: Int) {
        if index < run.lowerBound {
            (run, skipped) = (0..<Self.runEnd(bytes, from: 0, to: bytes.count), 0)
        }
        while index >= run.upperBound {
            skipped += 1
            let start = run.upperBound + skipped
            run = run.upperBound..<Self.runEnd(bytes, from: start, to: bytes.count) - skipped
        }
    }

    /// Where the emulation prevention byte after `start` stands, at most `end`.
    private static func runEnd(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        min(StartCodeScanner.firstZeroPair(before: 3, in: bytes.span, from: start).map { $0 + 2 } ?? end, end)
    }

    /// The offset behind the last byte of a part that is not zero; that of its start when there is none.
    private static func end(of bytes: [UInt8], from start: Int, to end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0 {
            end -= 1
        }
        return end
    }
}
