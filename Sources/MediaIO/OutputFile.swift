// SPDX-License-Identifier: MIT

import Glibc

/// Writes a file, pipe or standard output through a buffer; the first failure ends writing.
package final class OutputFile {
    /// The file as it was named, or "standard output".
    package let path: String
    /// Whether it is a file on disk, in which one can go back.
    package let isRegular: Bool
    /// Bytes of the file that the system took.
    package private(set) var byteCount: Int64 = 0
    private var descriptor: CInt
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var position: Int64 = 0
    private var failure: MediaFileError?
    /// Whether the file was there before.
    private let isOlder: Bool
    /// Whether what was in an older file is still in it.
    private var holdsOlderBytes: Bool

    /// Creates a file; one that exists is emptied by the first byte that is written to it, or by ``close()``.
    ///
    /// A pipe whose reader goes away gives an error from here on: the process ignores SIGPIPE once one is opened here.
    ///
    /// - Parameters:
    ///   - path: "-" for standard output, which stays open when this object goes.
    ///   - bufferSize: Bytes collected before the system is called, 1 or more.
    /// - Throws: ``MediaFileError`` with `.cannotOpen`.
    package convenience init(path: String, bufferSize: Int = 1 << 16) throws(MediaFileError) {
        try self.init(path, bufferSize: bufferSize, isOlder: Self.isThere(path), descriptor: Self.open(path))
    }

    /// Creates a file as ``init(path:bufferSize:)`` does, and opens a named pipe once it has a reader.
    ///
    /// - Parameters:
    ///   - path: "-" for standard output.
    ///   - isOver: Asked every 20 ms whether to wait no longer; the result is nil then.
    /// - Throws: ``MediaFileError`` with `.cannotOpen`.
    package convenience init?(path: String, unless isOver: () -> Bool) throws(MediaFileError) {
        let isOlder = Self.isThere(path)
        guard let descriptor = Self.open(path, unless: isOver) else { return nil }
        try self.init(path, bufferSize: 1 << 16, isOlder: isOlder, descriptor: descriptor)
    }

    /// Takes over what was just opened; where that failed, `errno` says why.
    private init(_ path: String, bufferSize: Int, isOlder: Bool, descriptor: CInt) throws(MediaFileError) {
        let reason = errno
        precondition(bufferSize > 0, "a buffer of \(bufferSize) bytes, expected 1 or more")
        self.isOlder = isOlder
        self.path = path == "-" ? "standard output" : path
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = descriptor >= 0 ? errno : reason
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw MediaFileError(
                .cannotOpen, reason: "cannot open for writing: \(SystemCall.message(reason))", path: self.path,
                status: Int(reason))
        }
        self.descriptor = descriptor
        isRegular = status.st_mode & S_IFMT == S_IFREG
        // Whoever opened standard output decides whether it is added to.
        holdsOlderBytes = isRegular && path != "-"
        buffer = .allocate(byteCount: bufferSize, alignment: 16)
        if !isRegular { signal(SIGPIPE, SIG_IGN) }
    }

    /// Writes what is buffered as far as it goes; call ``close()`` to learn of failures.
    deinit {
        try? closeOrDiscard()
        buffer.deallocate()
    }
}

// MARK: - Opening

extension OutputFile {
    private static func isThere(_ path: String) -> Bool { path == "-" || access(path.fileName, F_OK) == 0 }

    private static func open(_ path: String) -> CInt {
        path == "-" ? dup(STDOUT_FILENO) : Glibc.open(path.fileName, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    }

    /// Waits where a named pipe has no reader; nil where the wait was ended.
    ///
    /// A pipe is opened once: its reader would take the end of a first writer for the end of all.
    private static func open(_ path: String, unless isOver: () -> Bool) -> CInt? {
        var status = stat()
        while path != "-", stat(path.fileName, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            let descriptor = Glibc.open(path.fileName, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor < 0, errno == ENXIO else {
                if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, 0) }
                return descriptor
            }
            guard !isOver() else { return nil }
            usleep(20_000)
        }
        return open(path)
    }
}

// MARK: - Writing

extension OutputFile {
    /// Writes bytes; they may stay in the buffer until ``flush()`` or ``close()``.
    ///
    /// Waits while a pipe's reader is slow.
    ///
    /// - Throws: ``MediaFileError`` with `.diskFull`, `.brokenPipe` or `.writeFailed`; then again on each later call.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaFileError) {
        try check()
        if filled + bytes.count > buffer.count {
            try writeOut(bytes)
        } else if let source = bytes.baseAddress, let target = buffer.baseAddress {
            memcpy(target + filled, source, bytes.count)
            filled += bytes.count
        }
    }

    /// Writes bytes; they may stay in the buffer until ``flush()`` or ``close()``.
    package func write(_ bytes: [UInt8]) throws(MediaFileError) {
        try bytes.span.withUnsafeBytes { bytes throws(MediaFileError) in try write(bytes) }
    }

    /// Waits until a pipe has room, for as much as `PIPE_BUF` bytes; a file on disk always has.
    ///
    /// - Parameter isOver: Asked every 20 ms whether to wait no longer.
    /// - Returns: Whether there is room, or writing fails at once; false where the wait was ended.
    package func waitForRoom(unless isOver: () -> Bool) -> Bool {
        guard !isRegular, descriptor >= 0 else { return true }
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var milliseconds: CInt = 0
        while true {
            let count = poll(&state, 1, milliseconds)
            if count > 0 || count < 0 && errno != EINTR { return true }
            guard !isOver() else { return false }
            milliseconds = 20
        }
    }

    /// Whether the file on disk has lost its last name, so that what was written goes with the end of writing.
    package var isRemoved: Bool {
        var status = stat()
        return isRegular && descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Hands the buffered bytes to the system.
    package func flush() throws(MediaFileError) {
        try check()
        if filled > 0 { try writeOut(UnsafeRawBufferPointer(start: nil, count: 0)) }
    }

    /// Writes what is buffered and closes the file; later calls do nothing.
    package func close() throws(MediaFileError) {
        guard descriptor >= 0 else { return }
        defer { descriptor = -1 }
        do throws(MediaFileError) {
            try flush()
            try dropOlderBytes()
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        if Glibc.close(descriptor) != 0 { throw fail(errno) }
    }

    /// Closes the file as ``close()`` does, unless nothing was written: then an older file stays as it was, and a new
    /// one goes away.
    package func closeOrDiscard() throws(MediaFileError) {
        guard descriptor >= 0, filled == 0, byteCount == 0, failure == nil else { return try close() }
        Glibc.close(descriptor)
        descriptor = -1
        if !isOlder { unlink(path.fileName) }
    }

    /// An empty file is left alone: one that was emptied is written to the disk by ext4 when it is closed, in the time
    /// of who closes it.
    private func dropOlderBytes() throws(MediaFileError) {
        guard holdsOlderBytes else { return }
        var status = stat()
        if fstat(descriptor, &status) != 0 || status.st_size > 0, ftruncate(descriptor, 0) != 0 { throw fail(errno) }
        holdsOlderBytes = false
    }

    /// Goes to a place in a file on disk.
    ///
    /// - Returns: The position, or nil when the file cannot seek.
    package func seek(offset: Int64, whence: CInt) throws(MediaFileError) -> Int64? {
        try flush()
        guard isRegular else { return nil }
        let target = lseek(descriptor, off_t(offset), whence)
        guard target >= 0 else { return nil }
        position = Int64(target)
        return position
    }

    private func check() throws(MediaFileError) {
        if let failure { throw failure }
        guard descriptor >= 0 else {
            throw MediaFileError(.invalidState, reason: "the file was closed", path: path)
        }
    }

    /// Writes the buffer and then `bytes`.
    private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(MediaFileError) {
        try dropOlderBytes()
        let total = filled + bytes.count
        var done = 0
        while done < total {
            let first = UnsafeRawBufferPointer(rebasing: buffer[min(done, filled)..<filled])
            let second = UnsafeRawBufferPointer(rebasing: bytes[max(done - filled, 0)...])
            let result = SystemCall.retrying(descriptor, events: POLLOUT) {
                if second.isEmpty { return Glibc.write(descriptor, first.baseAddress, first.count) }
                if first.isEmpty { return Glibc.write(descriptor, second.baseAddress, second.count) }
                return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
                    // writev does not write to the memory, its type only says so.
                    pieces.initializeElement(
                        at: 0, to: iovec(iov_base: .init(mutating: first.baseAddress), iov_len: first.count))
                    pieces.initializeElement(
                        at: 1, to: iovec(iov_base: .init(mutating: second.baseAddress), iov_len: second.count))
                    return writev(descriptor, pieces.baseAddress, 2)
                }
            }
            guard result.count >= 0 else { throw fail(result.status) }
            position += Int64(result.count)
            byteCount = max(byteCount, position)
            done += result.count
        }
        filled = 0
    }

    private func fail(_ status: CInt) -> MediaFileError {
        let code: MediaFileError.Code =
            switch status {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EPIPE: .brokenPipe
            default: .writeFailed
            }
        let error = MediaFileError(
            code, reason: "cannot write: \(SystemCall.message(status)); \(byteCount) bytes were written", path: path,
            byteOffset: byteCount, status: Int(status))
        failure = error
        return error
    }
}
