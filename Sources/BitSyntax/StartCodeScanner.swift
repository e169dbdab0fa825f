// SPDX-License-Identifier: MIT

/// Finds two zero bytes and what follows them: start codes and emulation prevention.
///
/// The only file of the module that reads through pointers. They come from the span's own closure and do not leave it;
/// each load names the bound that keeps it inside.
package enum StartCodeScanner {
    /// How many places one step of the fast loop looks at.
    private static let blockSize = 64

    /// The offset of the first 0, 0, 1 at or after `start`.
    package static func firstStartCode(in bytes: Span<UInt8>, from start: Int) -> Int? {
        firstZeroPair(before: 1, in: bytes, from: start)
    }

    /// The offset of the first 0, 0, `third` at or after `start`, which is 0 or more.
    package static func firstZeroPair(before third: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var place = start
            // A block reads blockSize bytes from `place` and as many from `place + 1`.
            while buffer.count - place > blockSize {
                if mayHoldZeroPair(UnsafeRawBufferPointer(buffer), at: place),
                    let found = firstZeroPair(before: third, in: buffer, place..<place + blockSize)
                {
                    return found
                }
                place += blockSize
            }
            return firstZeroPair(before: third, in: buffer, place..<max(place, buffer.count))
        }
    }

    /// Appends a part of a span, which has no slices that an array could take.
    package static func append(_ range: Range<Int>, of bytes: Span<UInt8>, to copy: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { copy.append(contentsOf: $0[range]) }
    }

    /// Whether two zero bytes start at any of the 64 places from `place` on; `place + 65` bytes are there.
    @inline(__always)
    private static func mayHoldZeroPair(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        // A byte of `pairs` is zero where it and the next are. Taking one from each byte borrows into the top bit of
        // zero bytes only, if any; a borrow from one to the next comes from a zero byte too.
        let pairs =
            bytes.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt64>.self)
            | bytes.loadUnaligned(fromByteOffset: place + 1, as: SIMD8<UInt64>.self)
        let marks = (pairs &- 0x0101_0101_0101_0101) & ~pairs & 0x8080_8080_8080_8080
        let folded = marks.lowHalf | marks.highHalf
        let twice = folded.lowHalf | folded.highHalf
        return twice[0] | twice[1] != 0
    }

    /// The first pair at a few places, one after the other; places without two bytes behind them are passed over.
    private static func firstZeroPair(
        before third: UInt8, in buffer: UnsafeBufferPointer<UInt8>, _ places: Range<Int>
    ) -> Int? {
        let end = min(places.upperBound, buffer.count - 2)
        var place = places.lowerBound
        while place < end {
            // `place + 2` is less than `buffer.count`.
            if buffer[place + 1] != 0 {
                place += 2
            } else if buffer[place] == 0, buffer[place + 2] == third {
                return place
            } else {
                place += 1
            }
        }
        return nil
    }
}
