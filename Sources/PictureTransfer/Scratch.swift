// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// Memory of one transfer at a time, which grows to what the largest needed and is used again.
final class Scratch: @unchecked Sendable {
    // Unchecked: a transfer takes it out of its session's list, and is its only user until it puts it back.

    private var blocks: [(base: UnsafeMutableRawPointer, byteCount: Int)] = []
    private var next = 0

    deinit { for block in blocks { free(block.base) } }

    /// Makes all memory free for a transfer.
    func reset() { next = 0 }

    /// Gives `body` memory that is free again afterwards, and its planes undefined.
    func withPlanes<R>(_ body: () throws(EncoderError) -> R) throws(EncoderError) -> R {
        let before = next
        defer { next = before }
        return try body()
    }

    /// Bytes that it has.
    var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }

    /// A plane with undefined samples, whose rows begin at multiples of 64 bytes.
    ///
    /// - Throws: `EncoderError` with `.outOfMemory`.
    func plane(width: Int, height: Int) throws(EncoderError) -> Plane {
        let stride = (width + 63) / 64 * 64
        return Plane(try take(stride * height), stride: stride, width: width, height: height)
    }

    private func take(_ byteCount: Int) throws(EncoderError) -> UnsafeMutableRawPointer {
        if next < blocks.count, blocks[next].byteCount >= byteCount {
            next += 1
            return blocks[next - 1].base
        }
        var base: UnsafeMutableRawPointer?
        guard posix_memalign(&base, 64, byteCount) == 0, let base else {
            throw EncoderError(.outOfMemory, reason: "no memory for a transfer of \(byteCount) bytes")
        }
        if next < blocks.count {
            free(blocks[next].base)
            blocks[next] = (base, byteCount)
        } else {
            blocks.append((base, byteCount))
        }
        next += 1
        return base
    }
}
