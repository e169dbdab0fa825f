// SPDX-License-Identifier: MIT

import Glibc
package import MediaFiles

/// Files under passing names: whoever writes one holds its lock, which the system takes back when the process ends.
package enum PartialFile {
    private static let suffix = ".partial"

    /// Makes an empty file beside another, to be renamed to it.
    ///
    /// - Parameter target: The file's own path.
    /// - Returns: The passing path, and the descriptor that holds it; close it after the file was renamed.
    /// - Throws: ``MediaFileError``.
    package static func make(for target: String) throws(MediaFileError) -> (path: String, descriptor: CInt) {
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let name = target.split(separator: "/").last.map(String.init) ?? target
        while true {
            let path = folder + ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max))" + suffix
            let descriptor = open(path.fileName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw WholeFile.failure(errno, target) }
            // Where a file system has no locks, no one can tell that the file is abandoned, and it stays.
            while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
            var status = stat()
            // Another process may have found it between the two calls and taken it for abandoned.
            if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (path, descriptor) }
            close(descriptor)
        }
    }

    /// Removes the passing files in a folder that no process holds: their writers were killed.
    package static func removeAbandoned(in folder: String) {
        for name in FolderListing.names(folder) ?? [] where name.hasPrefix(".") && name.hasSuffix(suffix) {
            let path = folder + "/" + name
            let descriptor = open(path.fileName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path.fileName) }
        }
    }
}
