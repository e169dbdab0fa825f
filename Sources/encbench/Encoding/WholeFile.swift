// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles

/// Files that are read and written as a whole.
enum WholeFile {
    /// All bytes of a file.
    static func read(_ path: String) throws(MediaFileError) -> [UInt8] {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var count = 0
            let failure: MediaFileError? = chunk.withUnsafeMutableBytes { buffer in
                do throws(MediaFileError) {
                    count = try file.read(into: buffer)
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Writes a file so that its name always stands for all of the old bytes or all of the new ones.
    ///
    /// Standard output, pipes and devices are written as they are.
    ///
    /// - Throws: ``MediaFileError``; an older file of the name stays as it was then.
    static func write(_ bytes: [UInt8], to path: String) throws(MediaFileError) {
        var status = stat()
        let isSpecial = path == "-" || stat(path.fileName, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        guard !isSpecial else { return try MediaOutput.write(bytes, to: path) }
        // Through a link to the file itself, so that the link stays one.
        let target =
            realpath(path.fileName, nil).map { resolved in
                defer { free(resolved) }
                return String(fileName: resolved)
            } ?? path
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let name = target.split(separator: "/").last.map(String.init) ?? target
        let temporary = folder + ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).partial"
        do throws(MediaFileError) {
            try MediaOutput.write(bytes, to: temporary)
            try synchronize(temporary)
            if rename(temporary.fileName, target.fileName) != 0 { throw failure(errno, target) }
            try synchronize(folder.isEmpty ? "." : folder)
        } catch {
            unlink(temporary.fileName)
            throw error
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

    private static func failure(_ status: CInt, _ path: String) -> MediaFileError {
        MediaFileError(
            status == ENOSPC ? .diskFull : .writeFailed, reason: "cannot write: \(String(cString: strerror(status)))",
            path: path, status: Int(status))
    }
}
