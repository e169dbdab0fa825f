// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of one reference to memory that libavformat read a packet into, and nobody writes to any more.
final class LibAVBuffer: @unchecked Sendable {
    // Unchecked: all is constant, and the reference is given back once.

    let bytes: UnsafeBufferPointer<UInt8>
    private let reference: UnsafeMutablePointer<AVBufferRef>
    private let unref: @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<AVBufferRef>?>?) -> Void

    /// Takes over a reference; `bytes` lie in its memory.
    init(_ reference: UnsafeMutablePointer<AVBufferRef>, bytes: UnsafeBufferPointer<UInt8>, _ av: CLibAV) {
        self.reference = reference
        self.bytes = bytes
        unref = av.av_buffer_unref
    }

    deinit {
        var reference: UnsafeMutablePointer<AVBufferRef>? = reference
        unref(&reference)
    }
}
