// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc
import MediaFiles

/// Runs programs to their end; blocks the thread.
package enum ChildProcess {
    /// What a program that ended by itself leaves.
    package struct Output: Equatable, Sendable {
        /// Its standard output; empty unless it was to be read.
        package var bytes: [UInt8] = []
        package var status: Int32
        /// What it took, from its start to its end.
        package var used: ResourceUsage
        /// The most memory it had resident at any time, in bytes; nil where that was less than this process had.
        package var peakResidentBytes: Int?

        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - program: Its path, or its name in `PATH`.
    ///   - arguments: Without the program's name.
    ///   - reading: Whether its standard output is read; else it is this process's.
    ///   - messages: Takes its standard error, while its input is empty and its output dropped unless it is read; nil
    ///     leaves it the streams of this process.
    ///   - name: What messages call it; default: `program`.
    /// - Returns: What it wrote, its status, and what it took.
    /// - Throws: ``EncoderBenchError`` when it cannot be started or a signal ends it.
    package static func run(
        _ program: String, _ arguments: [String], reading: Bool, messages: UnnamedFile? = nil, name: String? = nil
    ) throws(EncoderBenchError) -> Output {
        let name = name ?? program
        var ends: [CInt] = [-1, -1]
        guard !reading || pipe(&ends) == 0 else { throw failure("no pipe", errno) }
        defer { if reading { close(ends[0]) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let messages {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, messages.descriptor, STDERR_FILENO)
        }
        if reading {
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        let words = ([program] + arguments).map { strdup($0.fileName) }
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let start = MonotonicTime.seconds
        let status = posix_spawnp(&process, program, &actions, nil, words + [nil], environ)
        if reading { close(ends[1]) }
        guard status == 0 else { throw failure("cannot start \(name)", status) }
        let bytes = reading ? readAll(ends[0]) : []
        var end: CInt = 0
        var usage = rusage()
        while wait4(process, &end, 0, &usage) < 0 && errno == EINTR {}
        let used = ResourceUsage(wallSeconds: MonotonicTime.seconds - start, cpuSeconds: usage.cpuSeconds)
        // The low seven bits are the signal that ended it, the next eight its status (wait(2)).
        guard end & 0x7F == 0 else {
            throw EncoderBenchError(.programFailed, reason: "signal \(end & 0x7F) ended \(name)")
        }
        return Output(
            bytes: bytes, status: end >> 8 & 0xFF, used: used, peakResidentBytes: peakResidentBytes(of: usage))
    }

    /// `ru_maxrss` of a child includes the peak of the process that started it: smaller peaks are unknown.
    private static func peakResidentBytes(of usage: rusage) -> Int? {
        let bytes = Int(usage.ru_maxrss) * 1024
        guard let own = ResourceUsage.peakResidentBytes(), bytes > own else { return nil }
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

    private static func failure(_ what: String, _ status: CInt) -> EncoderBenchError {
        EncoderBenchError(.programFailed, reason: "\(what): \(String(cString: strerror(status)))")
    }
}
