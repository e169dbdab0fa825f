// SPDX-License-Identifier: MIT

/// Where the bytes of one container go: a file, a connection, a closure; used by one thread at a time.
protocol ByteTarget: AnyObject {
    /// Bytes that were written so far, as far as the system or the peer took them; those of runs before included.
    var byteCount: Int { get }

    /// Whether ``seek(offset:whence:)`` can go back.
    var canSeek: Bool { get }

    /// Whether bytes may come long after the packets they belong to, at the next call of ``settle()`` at the latest.
    ///
    /// They come in large pieces then, and no call of ``headerEnded(_:)`` among them.
    var takesBytesLate: Bool { get }

    /// Takes bytes, and blocks while it does.
    ///
    /// - Throws: ``PublishingError``; what was taken before stays.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError)

    /// Goes to a place as `lseek` does.
    func seek(offset: Int64, whence: CInt) throws(PublishingError) -> Int64?

    /// Takes notice that all bytes so far are the container's header, which those that join later need first.
    func headerEnded(_ header: [UInt8]) throws(PublishingError)

    /// Takes notice of the packet whose bytes come next.
    func packetFollows(_ packet: MediaPacket) throws(PublishingError)

    /// Takes notice that the bytes of a packet, as far as the container does not hold them back, were written.
    func packetEnded(_ packet: MediaPacket) throws(PublishingError)

    /// Takes notice that nothing more waits to be written: what is kept back for speed goes on.
    func settle() throws(PublishingError)

    /// Completes what was written, or gives it up.
    ///
    /// - Parameter isComplete: Whether the container was written to its end.
    /// - Throws: ``PublishingError`` where what was written may be lost.
    func close(isComplete: Bool) throws(PublishingError)
}

extension ByteTarget {
    var canSeek: Bool { false }
    var takesBytesLate: Bool { false }
    func seek(offset: Int64, whence: CInt) throws(PublishingError) -> Int64? { nil }
    func headerEnded(_ header: [UInt8]) throws(PublishingError) {}
    func packetFollows(_ packet: MediaPacket) throws(PublishingError) {}
    func packetEnded(_ packet: MediaPacket) throws(PublishingError) {}
    func settle() throws(PublishingError) {}

    func write(_ bytes: [UInt8]) throws(PublishingError) {
        try bytes.span.withUnsafeBytes { bytes throws(PublishingError) in try write(bytes) }
    }
}
