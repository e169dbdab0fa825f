// SPDX-License-Identifier: MIT

package import CLibAV

/// Sole owner of an AVIOContext and its buffer, through which the libraries read or write bytes that are not theirs.
package final class LibAVIOContext {
    package let pointer: UnsafeMutablePointer<AVIOContext>
    private let av: CLibAV

    /// Bytes that the libraries move at once.
    package static let bufferSize = 1 << 16
    /// Bytes that the libraries write at once to where nobody waits for them.
    package static let largeBufferSize = 1 << 18

    package typealias Read = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, CInt) -> CInt
    package typealias Write = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, CInt) -> CInt
    package typealias Seek = @convention(c) (UnsafeMutableRawPointer?, Int64, CInt) -> Int64

    /// Makes a context whose calls come back with `owner`, which is not retained: it must own this object.
    ///
    /// - Parameters:
    ///   - av: The loaded libraries.
    ///   - owner: What the calls come back with.
    ///   - bufferSize: Bytes that are moved at once.
    ///   - read: Gives bytes; nil for a context that writes.
    ///   - write: Takes bytes; nil for a context that reads.
    ///   - seek: Goes to a place; nil where that cannot be done.
    /// - Throws: ``LibAVError`` with `.outOfMemory`.
    package init(
        _ av: CLibAV, owner: AnyObject, bufferSize: Int = bufferSize, read: Read? = nil, write: Write? = nil,
        seek: Seek?
    ) throws(LibAVError) {
        var buffer = av.av_malloc(bufferSize)
        let context = av.avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), CInt(bufferSize), write == nil ? 0 : 1,
            Unmanaged.passUnretained(owner).toOpaque(), read, write, seek)
        guard buffer != nil, let context else {
            av.av_freep(&buffer)
            throw LibAVError(.outOfMemory, reason: "no memory for a file buffer")
        }
        self.av = av
        pointer = context
    }

    deinit {
        // The library may have put another buffer in the place of the first.
        av.av_freep(&pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = pointer
        av.avio_context_free(&context)
    }

    /// The owner that a call came back with.
    package static func owner<Owner: AnyObject>(_ opaque: UnsafeMutableRawPointer?, as type: Owner.Type) -> Owner? {
        opaque.map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue() }
    }
}
