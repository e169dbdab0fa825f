// SPDX-License-Identifier: MIT

/// Gives a container's bytes to a closure, its header apart.
final class ReceiverTarget: ByteTarget {
    private let receive: Output.Receiver
    private var hasHeader = false
    private(set) var byteCount = 0

    init(_ receive: @escaping Output.Receiver) { self.receive = receive }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError) {
        // The header is given whole when it has ended.
        guard hasHeader else { return }
        try receive(.bytes(Array(bytes)))
        byteCount += bytes.count
    }

    func headerEnded(_ header: [UInt8]) throws(PublishingError) {
        hasHeader = true
        try receive(.header(header))
        byteCount += header.count
    }

    func close(isComplete: Bool) throws(PublishingError) {
        if hasHeader { try receive(.ended) }
    }
}
