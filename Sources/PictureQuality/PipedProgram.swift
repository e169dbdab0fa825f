// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc
import Synchronization

/// A program that is fed through its standard input while what it prints is collected, so that neither side ever waits
/// for the other; one that reads nothing for too long, or does not end after its input, is killed.
package final class PipedProgram {
    /// What it was called by.
    package let name: String
    private let patience: Double
    /// When it counts as hung, unless it reads something before.
    private var deadline: ContinuousClock.Instant
    private let process: pid_t
    /// Our ends, closed when they are -1; none of them blocks.
    private var input: CInt
    private var output: CInt
    private var messages: CInt
    private var printed: [UInt8] = []
    private var lastMessages: [UInt8] = []
    /// As wait(2) has it; nil while it runs.
    private var status: CInt?

    /// Bytes it may print.
    private static let printLimit = 1 << 28
    /// Bytes of its messages that are kept: the last ones.
    private static let messageLimit = 2000

    /// Starts a program.
    ///
    /// It has a process group of its own: signals of the terminal are not for it, and what it starts is killed with it.
    /// It is killed with the last reference at the latest.
    ///
    /// - Parameters:
    ///   - name: A path, or a name in one of the folders of `PATH`.
    ///   - arguments: Without the name.
    ///   - patience: Seconds in which it must read something, and end after its input did.
    /// - Throws: ``CommandFailure`` when it cannot be started.
    package init(_ name: String, _ arguments: [String], patience: Double) throws(CommandFailure) {
        self.name = name
        self.patience = patience
        deadline = .now + .seconds(patience)
        let started = try Self.spawning.withLock { _ throws(CommandFailure) in try Self.start(name, arguments) }
        (process, input, output, messages) = (started.process, started.ends[0], started.ends[1], started.ends[2])
    }

    deinit { end() }

    /// Held while files are open that must not reach another program: it would keep them open, and nobody see their
    /// end.
    private static let spawning = Mutex(())

    /// Starts the program.
    ///
    /// - Returns: Our ends of its standard input, output and error.
    private static func start(
        _ name: String, _ arguments: [String]
    ) throws(CommandFailure) -> (process: pid_t, ends: [CInt]) {
        var (sockets, outputs, errors): ([CInt], [CInt], [CInt]) = ([-1, -1], [-1, -1], [-1, -1])
        // A socket, since writing to a pipe that nobody reads raises a signal; pipes, since a socket cannot be opened
        // by the name /dev/stdout.
        let isOpen =
            socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &sockets) == 0 && pipe(&outputs) == 0
            && pipe(&errors) == 0
        let openStatus = errno
        let (ours, theirs) = ([sockets[0], outputs[0], errors[0]], [sockets[1], outputs[1], errors[1]])
        defer { for end in theirs where end >= 0 { Glibc.close(end) } }
        for end in ours + theirs where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        for end in [outputs[0], errors[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (end, standard) in zip(theirs, [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) {
            posix_spawn_file_actions_adddup2(&actions, end, standard)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let words = ([name] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let status = isOpen ? posix_spawnp(&process, name, &actions, &attributes, words + [nil], environ) : openStatus
        guard status == 0 else {
            for end in ours where end >= 0 { Glibc.close(end) }
            throw CommandFailure("cannot be started: \(String(cString: strerror(status)))")
        }
        return (process, ours)
    }

    /// Gives it bytes.
    ///
    /// - Throws: ``CommandFailure`` when it ended or hangs.
    package func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(input, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
            }
            if sent > 0 {
                rest = rest.dropFirst(sent)
                deadline = .now + .seconds(patience)
                continue
            }
            // Whoever reads no more is about to end, and to say why.
            guard sent < 0, errno == EAGAIN || errno == EINTR else { throw try earlyEnd() }
            try exchange(waitingToWrite: true)
        }
    }

    /// Ends its input and waits for its end.
    ///
    /// - Returns: What it printed.
    /// - Throws: ``CommandFailure`` when it does not end with status 0, or hangs.
    package func finish() throws(CommandFailure) -> [UInt8] {
        let status = try wait()
        guard status == 0 else { throw failure(status) }
        return printed
    }

    private func earlyEnd() throws(CommandFailure) -> CommandFailure {
        let status = try wait()
        return status == 0 ? CommandFailure("\(name) ended before its input did\(said)") : failure(status)
    }

    private func failure(_ status: CInt) -> CommandFailure {
        // The low seven bits are the signal that ended it, the next eight its status (wait(2)).
        let end =
            status & 0x7F != 0 ? "was ended by signal \(status & 0x7F)" : "ended with status \(status >> 8 & 0xFF)"
        return CommandFailure("\(name) \(end)\(said)")
    }

    /// ": " and its last messages on one line, or nothing.
    private var said: String {
        let lines = String(decoding: lastMessages, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.isEmpty ? "" : ": " + lines.suffix(3).joined(separator: "; ")
    }

    /// Waits for the end of its outputs, then of itself.
    private func wait() throws(CommandFailure) -> CInt {
        if let status { return status }
        Self.close(&input)
        deadline = .now + .seconds(patience)
        while output >= 0 || messages >= 0 { try exchange(waitingToWrite: false) }
        var status: CInt = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            guard .now < deadline else { throw hung() }
            usleep(2000)
        }
        self.status = status
        return status
    }

    /// Takes what there is, or waits for something to happen.
    private func exchange(waitingToWrite: Bool) throws(CommandFailure) {
        var files = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: messages, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waitingToWrite ? input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let left = (deadline - .now) / .milliseconds(1)
        guard left > 0, poll(&files, nfds_t(files.count), CInt(left.rounded(.up))) != 0 else { throw hung() }
        if files[0].revents != 0 { Self.read(&output, into: &printed) }
        if files[1].revents != 0 { Self.read(&messages, into: &lastMessages) }
        lastMessages.removeFirst(max(lastMessages.count - Self.messageLimit, 0))
        guard printed.count <= Self.printLimit else {
            end()
            throw CommandFailure("\(name) prints without end")
        }
    }

    /// Reads once; closes the file at its end.
    private static func read(_ file: inout CInt, into bytes: inout [UInt8]) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(file, &chunk, chunk.count)
        if count > 0 {
            bytes += chunk[..<count]
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            close(&file)
        }
    }

    private func hung() -> CommandFailure {
        end()
        return CommandFailure("\(name) did not go on for \(Format.fixed(patience, 0)) seconds and was killed\(said)")
    }

    private func end() {
        if status == nil {
            kill(-process, SIGKILL)
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            self.status = status
        }
        for file in [input, output, messages] where file >= 0 { Glibc.close(file) }
        (input, output, messages) = (-1, -1, -1)
    }

    private static func close(_ file: inout CInt) {
        if file >= 0 { Glibc.close(file) }
        file = -1
    }
}
