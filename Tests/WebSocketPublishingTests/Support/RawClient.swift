// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// A client that is made by hand, so that it can do what no library does: a socket, and the frames of RFC 6455.
///
/// Its calls block, for ``Patience/seconds`` at most.
final class RawClient: @unchecked Sendable {
    // Unchecked: tests hand it from one thread to another, and use it on one at a time.

    struct Frame: Equatable {
        var opcode: Int
        var payload: [UInt8]

        /// The code that a close has; nil for another frame.
        var closeCode: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
    }

    private let socket: CInt
    private var held: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - receiveBuffer: Bytes that the system takes before the peer has to wait; nil for what is usual.
    init(port: Int, receiveBuffer: Int? = nil) {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer.map({ CInt($0) }) {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var time = timeval(tv_sec: Int(Patience.seconds), tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(socket) }

    /// Sends bytes; false where the peer takes no more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            place += count
        }
        return true
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Reads what there is; nil at the end of the connection, and where nothing comes in time.
    private func receive() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = max(0, recv(socket, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func take(_ count: Int) -> [UInt8]? {
        while held.count < count {
            guard let more = receive() else { return nil }
            held += more
        }
        defer { held.removeFirst(count) }
        return Array(held[..<count])
    }

    /// All that comes up to the connection's end.
    func rest() -> [UInt8] {
        while let more = receive() { held += more }
        return held
    }

    /// The head of an answer, up to its empty line; nil where none comes.
    func answer() -> String? {
        while true {
            if let end = held.firstRange(of: Array("\r\n\r\n".utf8)) {
                defer { held.removeFirst(end.upperBound) }
                return String(decoding: held[..<end.upperBound], as: UTF8.self)
            }
            guard let more = receive() else { return nil }
            held += more
        }
    }

    /// A request for WebSocket.
    static func request(_ target: String = "/watch", host: String = "127.0.0.1", headers: [String] = []) -> String {
        let lines = [
            "GET \(target) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        ]
        return (lines + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Asks for WebSocket.
    ///
    /// - Returns: The status of the answer; nil where none comes.
    func upgrade(_ target: String = "/watch", host: String = "127.0.0.1", headers: [String] = []) -> Int? {
        send(Self.request(target, host: host, headers: headers))
        return answer().flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
    }

    /// The next frame; nil where the connection ends, or nothing comes in time.
    func frame() -> Frame? {
        guard let head = take(2) else { return nil }
        var length = Int(head[1] & 127)
        if length >= 126 {
            guard let more = take(length == 126 ? 2 : 8) else { return nil }
            length = more.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = take(length) else { return nil }
        return Frame(opcode: Int(head[0] & 15), payload: payload)
    }

    /// The next frame that is no ping.
    func message() -> Frame? {
        while let frame = frame() {
            if frame.opcode != 9 { return frame }
        }
        return nil
    }

    /// Sends a frame.
    func send(
        frame opcode: Int, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0, isMasked: Bool = true
    ) {
        send(Self.frame(opcode, payload, isFinal: isFinal, reserved: reserved, isMasked: isMasked))
    }

    /// The bytes of a frame.
    static func frame(
        _ opcode: Int, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0, isMasked: Bool = true
    ) -> [UInt8] {
        var bytes = [UInt8(opcode) | (isFinal ? 0x80 : 0) | reserved << 4]
        let mask: UInt8 = isMasked ? 0x80 : 0
        if payload.count < 126 {
            bytes.append(UInt8(payload.count) | mask)
        } else if payload.count < 1 << 16 {
            bytes += [126 | mask, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        } else {
            bytes += [127 | mask] + withUnsafeBytes(of: UInt64(payload.count).bigEndian) { Array($0) }
        }
        let key: [UInt8] = [1, 2, 3, 4]
        if isMasked { bytes += key }
        bytes += payload.enumerated().map { isMasked ? $1 ^ key[$0 % 4] : $1 }
        return bytes
    }
}
