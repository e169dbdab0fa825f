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
        let status = display.library.status {
            $0.vaCreateBuffer(
                display.raw, context, VAEncCodedBufferType, UInt32(clamping: byteCount), 1, nil, &id)
        }
        try display.library.check(status, "vaCreateBuffer of \(byteCount) coded bytes")
        (self.id, self.display, self.byteCount) = (id, display, byteCount)
    }

    deinit { _ = display.library.status { $0.vaDestroyBuffer(display.raw, id) } }

    /// Maps a buffer whose picture is coded, and hands out its bytes while `body` runs.
    ///
    /// - Parameter body: Gets all bytes in a row, and the mean quantizer where the driver tells it.
    /// - Throws: ``EncoderError`` with `.backendFailure` when the driver says that the bytes are no picture, or when
    ///   they cannot be; else what `body` throws.
    func read(
        _ body: (UnsafeRawBufferPointer, _ averageQP: Int?) throws(EncoderError) -> Void
    ) throws(EncoderError) {
        var address: UnsafeMutableRawPointer?
        let library = display.library
        try library.check(library.status { $0.vaMapBuffer(display.raw, id, &address) }, "vaMapBuffer of coded bytes")
        defer { _ = library.status { $0.vaUnmapBuffer(display.raw, id) } }
        let contents = try contents(from: address)
        guard !contents.isBroken, let first = contents.first else {
            throw EncoderError(
                .backendFailure,
                reason: "the driver coded no picture: \(contents.byteCount) bytes with status "
                    + "0x\(String(contents.status, radix: 16))")
        }
        if first.bytes.count == contents.byteCount { return try body(first.bytes, first.averageQP) }
        let joined = UnsafeMutableRawBufferPointer.allocate(byteCount: contents.byteCount, alignment: 1)
        defer { joined.deallocate() }
        var count = 0
        Self.forEachSegment(from: address) { segment in
            UnsafeMutableRawBufferPointer(rebasing: joined[count...]).copyMemory(from: segment.bytes)
            count += segment.bytes.count
            return true
        }
        try body(UnsafeRawBufferPointer(joined), first.averageQP)
    }

    /// What all segments together are.
    private struct Contents {
        /// The first that is not empty.
        var first: VACodedBufferSegment?
        var segmentCount = 0
        var byteCount = 0
        /// The bits that any segment has.
        var status: UInt32 = 0

        var isBroken: Bool {
            status & UInt32(VA_CODED_BUF_STATUS_BAD_BITSTREAM | VA_CODED_BUF_STATUS_SLICE_OVERFLOW_MASK) != 0
        }
    }

    /// What the segments of a mapped buffer are, none of which may be larger than the whole or follow without end.
    private func contents(from address: UnsafeMutableRawPointer?) throws(EncoderError) -> Contents {
        var contents = Contents()
        var isLegal = true
        Self.forEachSegment(from: address) { segment in
            contents.segmentCount += 1
            contents.byteCount += Int(segment.size)
            contents.status |= segment.status
            if contents.first == nil, segment.size > 0 { contents.first = segment }
            isLegal =
                contents.segmentCount <= Self.mostSegments && contents.byteCount <= byteCount
                && (segment.size == 0 || segment.buf != nil)
            return isLegal
        }
        guard isLegal else {
            throw EncoderError(
                .backendFailure,
                reason:
                    "the driver says that \(contents.segmentCount) segments of \(contents.byteCount) bytes lie in a "
                    + "buffer of \(byteCount)")
        }
        return contents
    }

    /// Goes through the segments of a mapped buffer; keeps none, so that the usual picture of one segment costs no
    /// array.
    private static func forEachSegment(
        from address: UnsafeMutableRawPointer?, _ goesOn: (VACodedBufferSegment) -> Bool
    ) {
        var next = address
        while let place = next {
            let segment = place.assumingMemoryBound(to: VACodedBufferSegment.self).pointee
            guard goesOn(segment) else { return }
            next = segment.next
        }
    }

    /// More than any driver was seen to give: a list without an end has to be noticed.
    private static let mostSegments = 1024
}

extension VACodedBufferSegment {
    fileprivate var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buf, count: Int(size)) }

    /// The mean quantizer; nil where the driver does not tell it.
    fileprivate var averageQP: Int? {
        let quantizer = Int(status & UInt32(VA_CODED_BUF_STATUS_PICTURE_AVE_QP_MASK))
        return (1...51).contains(quantizer) ? quantizer : nil
    }
}
