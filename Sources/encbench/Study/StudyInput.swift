// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles

/// An input as a study needs it: a file that can be read again, with its digest.
struct StudyInput {
    /// Where it is read from.
    let path: String
    /// SHA-256 of its bytes.
    let digest: String

    /// Reads an input once; what cannot be read twice, a pipe or standard input, is copied to a file without a name.
    ///
    /// The copy lies in `TMPDIR`, or else in /tmp, and lasts as long as the process.
    ///
    /// - Parameter path: "-" for standard input.
    /// - Throws: ``MediaFileError``, ``CommandFailure``.
    init(reading path: String) throws {
        let file = try InputFile(path: path)
        let copy = file.size == nil || path == "-" ? try Self.makeUnnamedFile() : nil
        var hash = SHA256()
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
            while true {
                let count = try file.read(into: buffer)
                guard count > 0 else { break }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
                hash.update(bytes)
                if let copy { try Self.write(bytes, to: copy, named: path) }
            }
        }
        digest = hash.finish()
        // The descriptor stays open: the file is gone when it closes.
        self.path = copy.map { "\(Self.copies)\($0)" } ?? Self.absolute(path)
    }

    /// Where this process finds its open files by their numbers.
    static let copies = "/proc/self/fd/"

    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func makeUnnamedFile() throws(CommandFailure) -> CInt {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/encbench-input-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else {
            throw CommandFailure("\(folder): cannot keep the input there: \(String(cString: strerror(errno)))")
        }
        unlink(template)
        return file
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to file: CInt, named path: String
    ) throws(CommandFailure) {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw CommandFailure("\(path): cannot keep the input: \(String(cString: strerror(errno)))")
            }
            done += count
        }
    }
}
