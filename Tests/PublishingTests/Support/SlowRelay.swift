// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// A port of loopback behind which a server is reached through a line that takes so many bytes a second; ends with its
/// client.
final class SlowRelay: Sendable {
    let port: Int

    /// Listens, and connects its first client with a server.
    ///
    /// - Parameters:
    ///   - server: The port of the server.
    ///   - bytesPerSecond: What goes on to it.
    /// - Throws: Where the system has no socket or thread.
    init(to server: Int, bytesPerSecond: UInt32) throws {
        let listener = try Self.socket()
        // Accepted sockets have the listener's buffer: what waits there is no longer seen by the client.
        Self.set(listener, SOL_SOCKET, SO_RCVBUF, 4096)
        Self.set(listener, CInt(IPPROTO_TCP), TCP_MAXSEG, 1400)
        port = try Self.withLoopback(port: 0) { address, length in
            guard bind(listener, address, length) == 0, listen(listener, 1) == 0 else { throw Failure(status: errno) }
            var length = length
            getsockname(listener, address, &length)
        }
        try SessionThread.start {
            let client = accept(listener, nil, nil)
            close(listener)
            defer { close(client) }
            guard let line = try? Self.socket() else { return }
            defer { close(line) }
            Self.set(line, SOL_SOCKET, SO_SNDBUF, 8192)
            Self.set(line, SOL_SOCKET, SO_MAX_PACING_RATE, bytesPerSecond)
            // Segments of loopback are as large as a second of the line.
            Self.set(line, CInt(IPPROTO_TCP), TCP_MAXSEG, 1400)
            let place = try? Self.withLoopback(port: server) { address, length in
                guard connect(line, address, length) == 0 else { throw Failure(status: errno) }
            }
            guard place != nil else { return }
            Self.exchange(client, line)
        }
    }

    private struct Failure: Error { var status: CInt }

    private static func socket() throws -> CInt {
        let descriptor = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(status: errno) }
        return descriptor
    }

    private static func set(_ socket: CInt, _ level: CInt, _ option: CInt, _ value: UInt32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<UInt32>.size))
    }

    /// Calls with an address of loopback, and gives the port that stands in it afterwards.
    private static func withLoopback(
        port: Int, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws -> Void
    ) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Copies both ways until one side ends.
    private static func exchange(_ client: CInt, _ line: CInt) {
        var states = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: line, events: Int16(POLLIN), revents: 0),
        ]
        var bytes = [UInt8](repeating: 0, count: 4096)
        while poll(&states, 2, -1) > 0 {
            for (from, to) in [(states[0], line), (states[1], client)] where from.revents != 0 {
                let count = read(from.fd, &bytes, bytes.count)
                guard count > 0, send(to, bytes, count, CInt(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }
}
