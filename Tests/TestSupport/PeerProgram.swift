// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Glibc

/// A program that runs beside a test, such as a server, and ends with it.
public final class PeerProgram: Sendable {
    /// The process.
    public let id: pid_t
    /// Where its outputs go.
    public let log: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: What to run.
    ///   - arguments: Its arguments, passed as they are, without a shell.
    ///   - log: A file for both of its outputs.
    /// - Throws: ``ExternalProgramError`` when it cannot be started.
    public init(_ program: ExternalProgram, _ arguments: [String], log: String) throws(ExternalProgramError) {
        self.log = log
        let commandLine = ([program.name] + arguments).joined(separator: " ")
        guard let path = program.path else {
            throw ExternalProgramError(commandLine: commandLine, reason: "not installed", standardError: "")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var pointers = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var id: pid_t = 0
        let status = posix_spawn(&id, path, &actions, nil, &pointers, environ)
        guard status == 0 else {
            throw ExternalProgramError(
                commandLine: commandLine, reason: String(cString: strerror(status)), standardError: "")
        }
        self.id = id
    }

    deinit { end() }

    /// Sends it a signal.
    public func signal(_ number: CInt) { kill(id, number) }

    /// Ends it, and waits until it has.
    public func end() {
        kill(id, SIGKILL)
        var status: CInt = 0
        waitpid(id, &status, 0)
    }

    /// Waits until it ends by itself.
    ///
    /// - Returns: Its exit status; nil where it takes longer than `seconds`, or a signal ended it.
    public func exitStatus(within seconds: Double) async -> CInt? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            var status: CInt = 0
            if waitpid(id, &status, WNOHANG) == id { return status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    /// What it has written so far.
    public var output: String {
        (try? Data(contentsOf: URL(filePath: log))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Asks again and again until something holds.
///
/// - Parameters:
///   - seconds: How long at most; twice ``Patience/seconds`` by default.
///   - condition: Asked every 20 ms.
/// - Returns: Whether it held in time.
public func eventually(
    within seconds: Double = 2 * Patience.seconds, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(20))
    }
    return try await condition()
}

/// A port of the loopback interface that nothing listens on.
///
/// - Parameter isDatagram: For UDP instead of TCP.
/// - Returns: The port's number.
public func freePort(isDatagram: Bool = false) -> Int {
    let type = isDatagram ? CInt(SOCK_DGRAM.rawValue) : CInt(SOCK_STREAM.rawValue)
    let socket = socket(AF_INET, type, 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(socket, $0, length)
            _ = getsockname(socket, $0, &length)
        }
    }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// A server on the loopback interface that takes connections and never says anything.
public final class SilentListener: Sendable {
    /// Its port.
    public let port: Int
    /// What listens.
    public let socket: CInt

    /// Starts to listen.
    public init() {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, length)
                _ = getsockname(socket, $0, &length)
            }
        }
        listen(socket, 16)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }
}
