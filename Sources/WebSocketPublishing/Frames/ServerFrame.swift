// SPDX-License-Identifier: MIT

/// A binary message in the one frame that a server sends it in (RFC 6455, 5.2): without a mask, so that all viewers get
/// the same bytes.
enum ServerFrame {
    /// What stands before a message of so many bytes.
    static func head(byteCount: Int) -> [UInt8] {
        let start: UInt8 = 0x82
        switch byteCount {
        case ...125: return [start, UInt8(byteCount)]
        case ...0xFFFF: return [start, 126, UInt8(byteCount >> 8), UInt8(byteCount & 0xFF)]
        default: return [start, 127] + (0..<8).map { UInt8(truncatingIfNeeded: byteCount >> (56 - 8 * $0)) }
        }
    }
}

#if WebSocket
    import NIOCore

    extension ServerFrame {
        /// The frame of a message.
        static func binary(_ message: [UInt8]) -> ByteBuffer {
            let head = head(byteCount: message.count)
            var frame = ByteBufferAllocator().buffer(capacity: head.count + message.count)
            frame.writeBytes(head)
            frame.writeBytes(message)
            return frame
        }
    }
#endif
