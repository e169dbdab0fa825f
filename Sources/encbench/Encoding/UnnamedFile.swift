// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc
import MediaFiles

/// A file without a name, gone when it is closed or the process ends; in `TMPDIR`, or else in /var/tmp.
final class UnnamedFile: @unchecked Sendable {
    // Unchecked: the descriptor never changes, and the system lets several threads use it.
    /// Its number among this process's open files.
    let descriptor: CInt

    /// Where this process finds its open files by their numbers.
    static let folder = "/proc/self/fd/"

    /// Makes an empty file.
    ///
    /// - Throws: ``CommandFailure`` that names the folder.
    init() throws(CommandFailure) {
        let folder = getenv("TMPDIR").map { String(fileName: $0) } ?? "/var/tmp"
        // The six letters are what mkstemp makes a name of.
        var template = (folder + "/encbench-XXXXXX").fileName
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw CommandFailure("\(folder): cannot keep a file there: \(String(cString: strerror(errno)))")
        }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Opens it from its start, within this process.
    var path: String { Self.folder + "\(descriptor)" }

    /// Adds bytes at its end.
    ///
    /// - Throws: ``CommandFailure``, when the disk is full.
    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw CommandFailure("cannot keep a file: \(String(cString: strerror(errno)))")
            }
            done += count
        }
    }

    /// Adds bytes at its end.
    ///
    /// - Throws: ``CommandFailure``, when the disk is full.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        try bytes.withUnsafeBufferPointer { buffer throws(CommandFailure) in
            try write(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Keeps it open as long as the process runs.
    func outlive() { _ = Unmanaged.passRetained(self) }
}
