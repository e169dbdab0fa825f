// SPDX-License-Identifier: MIT

package import CLibAV

/// Sole owner of one AVPacket, used for one piece of data after the other.
package final class LibAVPacket {
    package let pointer: UnsafeMutablePointer<AVPacket>
    private let av: CLibAV

    package init(_ av: CLibAV) throws(LibAVError) {
        guard let pointer = av.av_packet_alloc() else {
            throw LibAVError(.outOfMemory, reason: "no memory for a packet")
        }
        self.av = av
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av.av_packet_free(&pointer)
    }

    /// Lets go of the data.
    package func clear() { av.av_packet_unref(pointer) }

    /// Makes room for `count` bytes, with the padding that the libraries read beyond the end, and fills it.
    package func fill(count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) throws(LibAVError) {
        clear()
        guard let size = CInt(exactly: count), av.av_new_packet(pointer, size) == 0 else {
            throw LibAVError(.outOfMemory, reason: "no memory for a packet of \(count) bytes")
        }
        body(UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: count))
    }

    /// A copy of the data.
    package var bytes: [UInt8] {
        [UInt8](UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
    }

    /// The data without a copy; the packet holds none any more.
    package func takeBytes() -> PacketBytes {
        guard let reference = pointer.pointee.buf, let start = pointer.pointee.data else { return PacketBytes(bytes) }
        let bytes = UnsafeBufferPointer(start: UnsafePointer(start), count: Int(pointer.pointee.size))
        (pointer.pointee.buf, pointer.pointee.data, pointer.pointee.size) = (nil, nil, 0)
        return PacketBytes(LibAVBuffer(reference, bytes: bytes, av))
    }

    /// Where the data lies in its file; nil when the demuxer does not say.
    package var byteOffset: Int64? { pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }

    /// Whether the demuxer says that data is missing.
    package var isDamaged: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    /// Whether the container wants it decoded but not shown, as before the start of an edit list.
    package var isHidden: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether the container says when it is decoded or shown.
    package var isTimed: Bool { pointer.pointee.dts != clibav_no_time() || pointer.pointee.pts != clibav_no_time() }

    package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
}
