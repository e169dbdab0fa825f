// SPDX-License-Identifier: MIT

import Glibc

/// Runs this program once more, as a process of its own.
enum ChildProcess {
    /// Runs it to its end; blocks the thread.
    ///
    /// - Parameter arguments: Without the program's name.
    /// - Returns: What it wrote to standard output.
    /// - Throws: ``CommandFailure`` when it cannot be started or does not end with status 0.
    static func output(_ arguments: [String]) throws(CommandFailure) -> [UInt8] {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure("no pipe", errno) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        let words = (["encbench"] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let status = posix_spawn(&process, "/proc/self/exe", &actions, nil, words + [nil], environ)
        close(ends[1])
        guard status == 0 else { throw failure("cannot start a process", status) }
        let bytes = readAll(ends[0])
        var end: CInt = 0
        while waitpid(process, &end, 0) < 0 && errno == EINTR {}
        // The low seven bits are the signal that ended it, the next eight its status (wait(2)).
        guard end & 0x7F == 0 else { throw CommandFailure("signal \(end & 0x7F) ended a timed encode") }
        guard end >> 8 & 0xFF == 0 else { throw CommandFailure("a timed encode ended with status \(end >> 8 & 0xFF)") }
        return bytes
    }

    private static func readAll(_ file: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    private static func failure(_ what: String, _ status: CInt) -> CommandFailure {
        CommandFailure("\(what): \(String(cString: strerror(status)))")
    }
}
