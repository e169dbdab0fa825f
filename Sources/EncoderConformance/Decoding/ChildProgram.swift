// SPDX-License-Identifier: MIT

import Glibc

/// A program that is run to its end with temporary files as its standard streams, so that none of them can fill up.
struct ChildProgram {
    let path: String
    let arguments: [String]

    struct Output {
        /// The exit status; 128 and the signal's number when a signal ended the program.
        let status: Int32
        let standardOutput: [UInt8]
        let standardError: [UInt8]
    }

    /// The executable file that a name means in `PATH`; a name with a slash is a path.
    static func path(of name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs the program.
    ///
    /// - Throws: ``DecoderError`` when it does not start; `CancellationError`, after ending it.
    func run(input: [UInt8]) async throws -> Output {
        let files = [try TemporaryFile(), try TemporaryFile(), try TemporaryFile()]
        try files[0].write(input)
        let child = try spawn(files)
        while true {
            var status: Int32 = 0
            let ended = waitpid(child, &status, WNOHANG)
            guard ended != child else {
                let signal = status & 0x7F
                return Output(
                    status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, standardOutput: try files[1].read(),
                    standardError: try files[2].read())
            }
            do {
                try await Task.sleep(for: .milliseconds(2))
            } catch {
                kill(child, SIGKILL)
                _ = waitpid(child, &status, 0)
                throw error
            }
        }
    }

    private func spawn(_ files: [TemporaryFile]) throws(DecoderError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file.descriptor, Int32(target))
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let status = posix_spawn(&child, path, &actions, nil, words, environ)
        guard status == 0 else { throw DecoderError("\(path) does not start: \(String(cString: strerror(status)))") }
        return child
    }
}

/// Sole owner of a temporary file without a name.
final class TemporaryFile {
    let descriptor: Int32

    init() throws(DecoderError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "\(folder)/encoderkit-\(getpid())-\(UInt64.random(in: 0...(.max)))"
        // Closed in programs that others start meanwhile.
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DecoderError("\(name) cannot be made: \(String(cString: strerror(errno)))")
        }
        unlink(name)
    }

    deinit { close(descriptor) }

    /// Writes bytes, and goes back to the start of the file.
    func write(_ bytes: [UInt8]) throws(DecoderError) {
        var place = 0
        while place < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
                return pwrite(descriptor, rest.baseAddress, rest.count, place)
            }
            guard count > 0 else {
                throw DecoderError("a temporary file takes no more: \(String(cString: strerror(errno)))")
            }
            place += count
        }
    }

    /// Everything in the file.
    func read() throws(DecoderError) -> [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        var place = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(size, 0)) { buffer, count in
            while place < size {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[place..<size])
                let read = pread(descriptor, rest.baseAddress, rest.count, place)
                guard read > 0 else { break }
                place += read
            }
            count = place
        }
        guard place == size else { throw DecoderError("a temporary file cannot be read") }
        return bytes
    }
}
