// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles

/// Tells whether two paths are the same file, through links too.
package struct FileIdentity: Equatable {
    private let device: UInt
    private let inode: UInt

    /// Nil for standard streams, for what does not exist, and for devices such as /dev/null.
    package init?(path: String) {
        var status = stat()
        guard path != "-", stat(path.fileName, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }

    /// Refuses to write to a file that is read, or written otherwise, by the same command.
    ///
    /// - Parameters:
    ///   - path: The file to be written.
    ///   - others: What the command has it for already, such as "the input", with each path.
    /// - Throws: ``CommandFailure`` that names the file.
    package static func check(_ path: String, isNone others: [(what: String, path: String)]) throws(CommandFailure) {
        for other in others where path != "-" {
            let identity = FileIdentity(path: path)
            guard path == other.path || identity != nil && identity == FileIdentity(path: other.path) else { continue }
            throw CommandFailure(.sameFile, "\(path): is \(other.what) too; write to another file")
        }
    }
}
