// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles
import Synchronization

/// A file without a name, gone when it is closed or the process ends; in `TMPDIR`, or else in /var/tmp.
package final class UnnamedFile: @unchecked Sendable {
    // Unchecked: the descriptor never changes, and the system lets several threads use it.
    /// Its number among this process's open files.
    package let descriptor: CInt

    /// Where this process finds its open files by their numbers.
    package static let folder = "/proc/self/fd/"

    /// Those that stay open as long as the process runs.
    private static let kept = Mutex<[UnnamedFile]>([])

    /// Where files are made.
    private static var parent: String { getenv("TMPDIR").map { String(fileName: $0) } ?? "/var/tmp" }

    /// Whether such files are in memory, since their folder is no disk's.
    package static var areInMemory: Bool { MountedFolder.isInMemory(parent) }

    /// Makes an empty file.
    ///
    /// - Throws: ``EncoderBenchError`` that names the folder.
    package init() throws(EncoderBenchError) {
        let folder = Self.parent
        // The six letters are what mkstemp makes a name of.
        var template = (folder + "/encbench-XXXXXX").fileName
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw EncoderBenchError(
                .systemFailure, reason: "\(folder): cannot keep a file there: \(String(cString: strerror(errno)))")
        }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Opens it from its start, within this process.
    package var path: String { Self.folder + "\(descriptor)" }

    /// The path of an open file of this process as other processes see it; other paths are as they are.
    package static func visiblePath(_ path: String) -> String {
        path.hasPrefix(folder) ? "/proc/\(getpid())/fd/" + path.dropFirst(folder.count) : path
    }

    /// Bytes that are free on its disk; 0 where the system does not tell.
    package var freeBytes: Int64 {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { return 0 }
        return Int64(clamping: UInt64(disk.f_bavail) &* UInt64(disk.f_frsize))
    }

    /// Adds bytes at its end.
    ///
    /// - Throws: ``EncoderBenchError``, when the disk is full.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(EncoderBenchError) {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw EncoderBenchError(
                    .systemFailure, reason: "cannot keep a file: \(String(cString: strerror(errno)))")
            }
            done += count
        }
    }

    /// Adds bytes at its end.
    ///
    /// - Throws: ``EncoderBenchError``, when the disk is full.
    package func write(_ bytes: [UInt8]) throws(EncoderBenchError) {
        try bytes.withUnsafeBufferPointer { buffer throws(EncoderBenchError) in
            try write(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Keeps it open as long as the process runs.
    package func outlive() { Self.kept.withLock { $0.append(self) } }
}
