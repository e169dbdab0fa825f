// SPDX-License-Identifier: MIT

import Glibc
import MediaIO

/// A file that takes a container's bytes; a failed write ends it.
///
/// Waiting for the reader of a pipe ends with the output's deadline.
final class FileTarget: ByteTarget {
    private let file: OutputFile
    private var claim: PlaceClaim?
    private let deadline: Deadline

    /// Creates the file; one that exists is emptied by the first byte.
    ///
    /// - Throws: ``PublishingError`` with `.cannotOpen`; `.invalidValue` for a file that this process reads or writes;
    ///   `.cancelled` or `.timedOut` for a pipe that nobody reads.
    init(path: String, _ deadline: Deadline) throws(PublishingError) {
        self.deadline = deadline
        let (file, claim) = try PlaceClaim.opening(path, for: .file) { () throws(PublishingError) in
            try Self.wrapping { () throws(MediaFileError) in
                try OutputFile(path: path, unless: { deadline.isOver })
            }
        }
        guard let file else { throw Self.unread(deadline, "nobody opened the pipe for reading") }
        (self.file, self.claim) = (file, claim)
    }

    var byteCount: Int { Int(file.byteCount) }
    var canSeek: Bool { file.isRegular }
    var takesBytesLate: Bool { file.isRegular }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError) {
        guard !file.isRegular else {
            return try Self.wrapping { () throws(MediaFileError) in try file.write(bytes) }
        }
        // A pipe that has room takes so much at once without waiting.
        var rest = bytes[...]
        while !rest.isEmpty {
            let deadline = deadline
            guard file.waitForRoom(unless: { deadline.isOver }) else {
                throw Self.unread(deadline, "the pipe's reader takes nothing")
            }
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(PIPE_BUF)))
            try Self.wrapping { () throws(MediaFileError) in
                try file.write(piece)
                try file.flush()
            }
            rest = rest.dropFirst(piece.count)
        }
    }

    private static func unread(_ deadline: Deadline, _ reason: String) -> PublishingError {
        PublishingError(deadline.isCancelled ? .cancelled : .timedOut, reason: reason)
    }

    func seek(offset: Int64, whence: CInt) throws(PublishingError) -> Int64? {
        try Self.wrapping { () throws(MediaFileError) in try file.seek(offset: offset, whence: whence) }
    }

    /// Of a burst of packets, most go to the system with others.
    func settle() throws(PublishingError) {
        try Self.wrapping { () throws(MediaFileError) in try file.flush() }
    }

    func close(isComplete: Bool) throws(PublishingError) {
        defer { claim = nil }
        let isRemoved = file.isRemoved
        try Self.wrapping { () throws(MediaFileError) in try file.closeOrDiscard() }
        if isRemoved {
            throw PublishingError(
                .writeFailed, reason: "the file was removed while it was written: its \(byteCount) bytes are lost")
        }
    }

    private static func wrapping<Value>(
        _ body: () throws(MediaFileError) -> Value
    ) throws(PublishingError) -> Value {
        do throws(MediaFileError) {
            return try body()
        } catch {
            throw PublishingError(error)
        }
    }
}
