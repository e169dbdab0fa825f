// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Owner of one buffer that a picture's bytes come in.
final class VACodedBuffer {
    let id: VABufferID
    private let display: VADisplayHandle
    private let byteCount: Int

    /// Makes a buffer of a context's.
    init(_ display: VADisplayHandle, _ context: VAContextID, byteCount: Int) throws(EncoderError) {
        var id = VA_INVALID_ID
        let status = display.library.call.vaCreateBuffer(
            display.raw, context, VAEncCodedBufferType, UInt32(clamping: byteCount), 1, nil, &id)
        try display.library.check(status, "vaCreateBuffer of \(byteCount) coded bytes")
        (self.id, self.display, self.byteCount) = (id, display, byteCount)
    }

    deinit { _ = display.library.call.vaDestroyBuffer(display.raw, id) }

    /// Maps a buffer whose picture is coded, and hands out its bytes while `body` runs.
    ///
    /// - Parameter body: Gets all bytes in a row, and the mean quantizer where the driver tells it.
    /// - Throws: ``EncoderError`` with `.backendFailure` when the driver says that the bytes are no picture, or when they
    ///   cannot be; else what `body` throws.
    func read(
        _ body: (UnsafeRawBufferPointer, _ averageQP: Int?) throws(EncoderError) -> Void
    ) throws(EncoderError) {
        var address: UnsafeMutableRawPointer?
        let library = display.library
        try library.check(library.call.vaMapBuffer(display.raw, id, &address), "vaMapBuffer of coded bytes")
        defer { _ = library.call.vaUnmapBuffer(display.raw, id) }
        let segments = try segments(from: address)
        let status = segments.reduce(0) { $0 | $1.status }
        let isBroken = status & UInt32(VA_CODED_BUF_STATUS_BAD_BITSTREAM | VA_CODED_BUF_STATUS_SLICE_OVERFLOW_MASK) != 0
        let parts = segments.filter { !$0.bytes.isEmpty }
        guard !isBroken, let first = parts.first else {
            throw EncoderError(
                .backendFailure,
                reason: "the driver coded no picture: \(parts.reduce(0) { $0 + $1.bytes.count }) bytes with status "
                    + "0x\(String(status, radix: 16))")
        }
        let quantizer = Int(first.status & UInt32(VA_CODED_BUF_STATUS_PICTURE_AVE_QP_MASK))
        let averageQP = (1...51).contains(quantizer) ? quantizer : nil
        if parts.count == 1 { return try body(first.bytes, averageQP) }
        let joined = parts.flatMap { Array($0.bytes) }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: joined.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: joined)
        try body(UnsafeRawBufferPointer(copy), averageQP)
    }

    private typealias Segment = (bytes: UnsafeRawBufferPointer, status: UInt32)

    /// The segments of a mapped buffer, none of which may be larger than the whole or follow without end.
    private func segments(from address: UnsafeMutableRawPointer?) throws(EncoderError) -> [Segment] {
        var segments: [Segment] = []
        var next = address
        var byteCount = 0
        while let place = next {
            let segment = place.assumingMemoryBound(to: VACodedBufferSegment.self).pointee
            byteCount += Int(segment.size)
            guard segments.count < Self.mostSegments, byteCount <= self.byteCount,
                segment.size == 0 || segment.buf != nil
            else {
                throw EncoderError(
                    .backendFailure,
                    reason: "the driver says that \(segments.count + 1) segments of \(byteCount) bytes lie in a buffer "
                        + "of \(self.byteCount)")
            }
            segments.append((UnsafeRawBufferPointer(start: segment.buf, count: Int(segment.size)), segment.status))
            next = segment.next
        }
        return segments
    }

    /// More than any driver has for a picture of one slice.
    private static let mostSegments = 1024
}
