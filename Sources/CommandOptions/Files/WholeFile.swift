// SPDX-License-Identifier: MIT

import Glibc
package import MediaFiles

/// Files that are read and written as a whole.
package enum WholeFile {
    /// All bytes of a file on disk.
    ///
    /// - Parameters:
    ///   - path: No pipe and no device, which might never end.
    ///   - limit: Bytes that it may have.
    /// - Returns: The bytes.
    /// - Throws: ``MediaFileError``, also for a file of more bytes.
    package static func read(_ path: String, limit: Int = .max) throws(MediaFileError) -> [UInt8] {
        var status = stat()
        if stat(path.fileName, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw MediaFileError(.unsupported, reason: "is no regular file", path: path)
        }
        let file = try InputFile(path: path)
        if let size = file.size, size > limit {
            throw MediaFileError(.unsupported, reason: "has \(size) bytes, expected \(limit) at most", path: path)
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try chunk.withUnsafeMutableBufferPointer { buffer throws(MediaFileError) in
                try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Writes a file so that its name always stands for all of the old bytes or all of the new ones.
    ///
    /// Standard output, pipes and devices are written as they are.
    ///
    /// - Throws: ``MediaFileError``; an older file of the name stays as it was then.
    package static func write(_ bytes: [UInt8], to path: String) throws(MediaFileError) {
        guard path != "-", isReplaceable(path) else { return try writeInPlace(bytes, to: path) }
        // Through a link to the file itself, so that the link stays one.
        let target =
            realpath(path.fileName, nil).map { resolved in
                defer { free(resolved) }
                return String(fileName: resolved)
            } ?? path
        try replace(target, with: bytes, namedInErrors: path)
    }

    /// Whether a path is that of a file, or of nothing yet: no pipe, device or folder.
    package static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        return stat(path.fileName, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Writes a whole file into whatever has its name; "-" is standard output.
    package static func writeInPlace(_ bytes: [UInt8], to path: String) throws(MediaFileError) {
        let file = try OutputFile(path: path)
        try file.write(bytes)
        try file.close()
    }

    /// Puts a file in the place of whatever has its name but a folder: a link, a pipe or a device too.
    ///
    /// - Parameters:
    ///   - target: The file's path.
    ///   - bytes: All that it is to hold.
    ///   - name: What errors call the file, whose bytes are written under a passing name first; nil for the path.
    /// - Throws: ``MediaFileError``; what was there stays then.
    package static func replace(
        _ target: String, with bytes: [UInt8], namedInErrors name: String? = nil
    ) throws(MediaFileError) {
        do throws(MediaFileError) {
            let temporary = try PartialFile.make(for: target)
            defer {
                // Nothing has this name once the file was renamed.
                unlink(temporary.path.fileName)
                close(temporary.descriptor)
            }
            try writeInPlace(bytes, to: temporary.path)
            try synchronize(temporary.path)
            if rename(temporary.path.fileName, target.fileName) != 0 { throw failure(errno, target) }
            try synchronize(target.lastIndex(of: "/").map { String(target[...$0]) } ?? ".")
        } catch {
            throw MediaFileError(
                error.code, reason: error.reason, path: name ?? target, byteOffset: error.byteOffset,
                status: error.status)
        }
    }

    /// Waits until a file, or the names in a folder, would survive a loss of power.
    private static func synchronize(_ path: String) throws(MediaFileError) {
        let file = Glibc.open(path.fileName, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(errno, path) }
        defer { close(file) }
        // EINVAL: a file system whose folders cannot be synchronized.
        if fsync(file) != 0 && errno != EINVAL { throw failure(errno, path) }
    }

    /// What a system call's status says of a file that could not be written.
    package static func failure(_ status: CInt, _ path: String) -> MediaFileError {
        MediaFileError(
            status == ENOSPC ? .diskFull : .writeFailed, reason: "cannot write: \(String(cString: strerror(status)))",
            path: path, status: Int(status))
    }
}
