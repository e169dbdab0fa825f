// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TestSupport

/// A server at a port of 127.0.0.1 that answers each request with the same bytes, and ends the connection.
final class RawServer: Sendable {
    private let listener: SilentListener

    /// Begins to listen.
    ///
    /// - Parameter answer: What each request gets.
    init(answer: [UInt8]) {
        let listener = SilentListener()
        self.listener = listener
        DispatchQueue(label: "EncoderKit.test.server").async {
            while true {
                let peer = accept(listener.socket, nil, nil)
                guard peer >= 0 else { return }
                Self.readRequest(peer)
                Self.send(answer, to: peer)
                close(peer)
            }
        }
    }

    deinit { shutdown(listener.socket, CInt(SHUT_RDWR)) }

    var port: Int { listener.port }

    /// Reads up to an empty line.
    private static func readRequest(_ peer: CInt) {
        var request: [UInt8] = []
        while request.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = max(0, recv(peer, buffer.baseAddress, buffer.count, 0))
            }
            guard !bytes.isEmpty else { return }
            request += bytes
        }
    }

    private static func send(_ bytes: [UInt8], to peer: CInt) {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes {
                Glibc.send(peer, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            place += count
        }
    }
}
